"""Requests of programs for access, which a person answers on a page (RFC 8628)."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

WIDE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "device_grant",
        sa.Column("id", WIDE, nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("code_mac", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("scopes", sa.String(length=60), nullable=False),
        sa.Column("address", sa.String(length=45), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("pause", WIDE, nullable=False),
        sa.Column("polled_at", MOMENT, nullable=True),
        sa.Column("answered_at", MOMENT, nullable=True),
        sa.Column("account_id", WIDE, nullable=True),
        sa.Column("days", WIDE, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_device_grant"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_device_grant_account_id_account"),
        sa.UniqueConstraint("hash", name="uq_device_grant_hash"),
        sa.UniqueConstraint("code_mac", name="uq_device_grant_code_mac"),
    )
    op.create_index("ix_device_grant_expires_at", "device_grant", ["expires_at"])
    op.create_index("ix_device_grant_account_id", "device_grant", ["account_id"])


def downgrade() -> None:
    op.drop_table("device_grant")
