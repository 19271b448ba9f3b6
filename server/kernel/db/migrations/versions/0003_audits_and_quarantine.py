"""Audits of running games too, again and again; items that a loop failed at are set aside.

Every game is audited once more, so the old audits are not kept.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("audit_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_game_audit_at", "game", ["audit_at"])
    op.execute("UPDATE game SET audit_at = created_at WHERE status != 'lobby'")
    op.drop_table("audit")
    size, entry = sa.Column("size", sa.Integer(), nullable=False), sa.Column("entry", sa.Integer(), nullable=True)
    op.create_table("audit", *_columns(size, entry))
    unsound = sa.text("verdict IN ('fails', 'unknown')")
    op.create_index("ix_audit_unsound", "audit", ["verdict"], sqlite_where=unsound, postgresql_where=unsound)
    op.create_table(
        "quarantine",
        sa.Column("loop", sa.String(length=20), nullable=False),
        sa.Column("key", sa.String(length=60), nullable=False),
        sa.Column("error", sa.String(length=60), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("loop", "key", name="pk_quarantine"),
    )


def downgrade() -> None:
    op.drop_table("quarantine")
    op.drop_table("audit")
    op.create_table("audit", *_columns())
    op.drop_index("ix_game_audit_at", "game")
    op.drop_column("game", "audit_at")


def _columns(*more: sa.Column[Any]) -> list[sa.schema.SchemaItem]:
    """Those that the table has had from the beginning, and more."""
    return [
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("head_hash", sa.LargeBinary(), nullable=False),
        sa.Column("verdict", sa.String(length=10), nullable=False),
        sa.Column("says", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        *more,
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_audit_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", name="pk_audit"),
    ]
