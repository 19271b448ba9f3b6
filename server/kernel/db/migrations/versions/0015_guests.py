"""Guests: accounts that have no address yet."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

FEW = sa.text("guest_since IS NOT NULL")


def upgrade() -> None:
    op.add_column("account", sa.Column("guest_since", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_account_guest_since", "account", ["guest_since"], sqlite_where=FEW, postgresql_where=FEW)


def downgrade() -> None:
    op.drop_index("ix_account_guest_since", "account")
    op.drop_column("account", "guest_since")
