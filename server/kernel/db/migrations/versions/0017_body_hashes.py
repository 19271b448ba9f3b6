"""The hashes of the bodies of long mails, of which only the beginning is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbound_mail", sa.Column("body_hashes", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("inbound_mail", "body_hashes")
