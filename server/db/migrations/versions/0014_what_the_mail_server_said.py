"""What the mail server said to the last try of a mail, and when; sign-in mails are found without a walk past others."""

import sqlalchemy as sa
from alembic import op

from server.db.types import Moment

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notification", sa.Column("said", sa.String(length=500), nullable=True))
    op.add_column("notification", sa.Column("said_at", Moment(), nullable=True))
    op.create_index("ix_notification_kind", "notification", ["state", "kind", "next_at"])


def downgrade() -> None:
    op.drop_index("ix_notification_kind", table_name="notification")
    op.drop_column("notification", "said_at")
    op.drop_column("notification", "said")
