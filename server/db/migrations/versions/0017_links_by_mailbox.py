"""Sign-in links are counted by mailbox: plus-addresses and dots are one. Older ones count no more."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("login_link", sa.Column("box", sa.String(length=254), nullable=False, server_default=""))
    op.create_index("ix_login_link_box", "login_link", ["box"])


def downgrade() -> None:
    op.drop_index("ix_login_link_box", table_name="login_link")
    op.drop_column("login_link", "box")
