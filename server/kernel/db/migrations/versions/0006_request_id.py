"""The request that a row comes of: its id follows the row through jobs, mails and webhooks."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TABLES = ("outbox", "account_event", "notification", "inbound_mail", "hook_delivery")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("request_id", sa.String(length=64), nullable=True))


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "request_id")
