"""Moves of house players that another level than their own has made."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lowered_move",
        sa.Column("game_id", sa.String(36), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("own", sa.String(10), nullable=False),
        sa.Column("level", sa.String(10), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("lowered_move")
