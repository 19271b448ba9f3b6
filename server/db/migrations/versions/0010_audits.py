"""Audits: what the audit of a finished game found."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("head_hash", sa.LargeBinary(), nullable=False),
        sa.Column("verdict", sa.String(10), nullable=False),
        sa.Column("says", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_audit_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_audit")),
    )


def downgrade() -> None:
    op.drop_table("audit")
