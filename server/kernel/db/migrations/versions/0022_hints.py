"""Hints of house players, at tables whose creator allows them."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("hints", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "hint",
        sa.Column("game_id", sa.String(36), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("seat", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("found", sa.LargeBinary(), nullable=True),
    )


def downgrade() -> None:
    op.drop_table("hint")
    op.drop_column("game", "hints")
