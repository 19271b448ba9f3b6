"""Sessions of browsers, where a link leads after it was used, and tokens that end and say when they were last used."""

import sqlalchemy as sa
from alembic import op

from server.db.types import Moment

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "web_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("last_used_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_web_session")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_web_session_account_id_account")),
        sa.UniqueConstraint("hash", name=op.f("uq_web_session_hash")),
    )
    op.create_index(op.f("ix_web_session_account_id"), "web_session", ["account_id"])
    op.add_column("login_link", sa.Column("leads_to", sa.String(200), nullable=True))
    op.add_column("api_token", sa.Column("expires_at", Moment(), nullable=True))
    op.add_column("api_token", sa.Column("account_until", Moment(), nullable=True))
    op.add_column("api_token", sa.Column("last_used_at", Moment(), nullable=True))


def downgrade() -> None:
    op.drop_column("api_token", "last_used_at")
    op.drop_column("api_token", "account_until")
    op.drop_column("api_token", "expires_at")
    op.drop_column("login_link", "leads_to")
    op.drop_table("web_session")
