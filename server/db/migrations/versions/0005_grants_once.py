"""A grant that is asked for again with its idempotency key is the entry that it was."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("idempotency_key", sa.Column("seq", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("idempotency_key", "seq")
