"""Mail that a reply or a link has switched off, until its reader has decided about it."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mail_off",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("how", sa.String(length=5), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "game_id", name="pk_mail_off"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mail_off_account_id_account"),
    )
    op.add_column("outbox", sa.Column("account_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("outbox", "account_id")
    op.drop_table("mail_off")
