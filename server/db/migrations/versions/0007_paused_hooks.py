"""Paused hooks: a mail may be about a webhook."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notification", sa.Column("hook_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("notification", "hook_id")
