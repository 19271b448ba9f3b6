"""Accounts that want nothing to do with each other."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "block",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("about_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "about_id", name="pk_block"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_block_account_id_account"),
        sa.ForeignKeyConstraint(["about_id"], ["account.id"], name="fk_block_about_id_account"),
    )
    op.create_index("ix_block_about_id", "block", ["about_id"])


def downgrade() -> None:
    op.drop_table("block")
