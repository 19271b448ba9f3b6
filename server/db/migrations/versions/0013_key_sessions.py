"""Which browser's session registered a key, so that who ends the one can drop the other."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account_key", sa.Column("session_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("account_key", "session_id")
