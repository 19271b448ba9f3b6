"""Links by which calendars fetch the deadlines of an account."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "calendar_link",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_calendar_link_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_calendar_link")),
        sa.UniqueConstraint("hash", name=op.f("uq_calendar_link_hash")),
    )


def downgrade() -> None:
    op.drop_table("calendar_link")
