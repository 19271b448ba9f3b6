"""Analyses of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "analysis",
        sa.Column("game_id", sa.String(36), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("found", sa.LargeBinary(), nullable=True),
    )
    op.create_index("ix_analysis_next_at", "analysis", ["next_at"])


def downgrade() -> None:
    op.drop_index("ix_analysis_next_at", "analysis")
    op.drop_table("analysis")
