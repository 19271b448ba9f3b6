"""What mail servers say of mailboxes, and whose mail is stopped; mails are found by their Message-ID."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mail_report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("notification_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=9), nullable=False),
        sa.Column("says", sa.String(length=500), nullable=False),
        sa.Column("via", sa.String(length=8), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("spent", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_mail_report_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_report")),
    )
    op.create_index(op.f("ix_mail_report_account_id"), "mail_report", ["account_id"], unique=False)
    op.create_index(op.f("ix_mail_report_notification_id"), "mail_report", ["notification_id"], unique=False)
    op.create_index(op.f("ix_mail_report_at"), "mail_report", ["at"], unique=False)
    op.create_table(
        "mail_stop",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("why", sa.String(length=9), nullable=False),
        sa.Column("says", sa.String(length=500), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_mail_stop_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_mail_stop")),
    )
    op.create_index(op.f("ix_notification_message_id"), "notification", ["message_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_notification_message_id"), table_name="notification")
    op.drop_table("mail_stop")
    op.drop_index(op.f("ix_mail_report_at"), table_name="mail_report")
    op.drop_index(op.f("ix_mail_report_notification_id"), table_name="mail_report")
    op.drop_index(op.f("ix_mail_report_account_id"), table_name="mail_report")
    op.drop_table("mail_report")
