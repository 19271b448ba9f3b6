"""What a person chose about mail, what waits for a digest, and when reminders come that somebody chose."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notification", sa.Column("waited", sa.String(length=10), nullable=True))
    op.add_column("notification", sa.Column("digest_id", sa.Integer(), nullable=True))
    op.create_index(op.f("ix_notification_digest_id"), "notification", ["digest_id"], unique=False)
    op.create_table(
        "mail_choice",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("says", sa.Text(), nullable=False),
        sa.Column("reminds", sa.Boolean(), nullable=False),
        sa.Column("hours_since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_mail_choice_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_mail_choice")),
    )
    op.create_table(
        "mail_exception",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("says", sa.Text(), nullable=False),
        sa.Column("reminds", sa.Boolean(), nullable=True),
        sa.Column("hours_since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_mail_exception_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_mail_exception_game_id_game")),
        sa.PrimaryKeyConstraint("account_id", "game_id", name=op.f("pk_mail_exception")),
    )
    op.create_table(
        "mail_reminder",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("deadline_seq", sa.Integer(), nullable=False),
        sa.Column("hours", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_mail_reminder_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_mail_reminder_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_mail_reminder")),
    )
    op.create_index(op.f("ix_mail_reminder_account_id"), "mail_reminder", ["account_id"], unique=False)
    op.create_index(op.f("ix_mail_reminder_at"), "mail_reminder", ["at"], unique=False)


def downgrade() -> None:
    op.drop_table("mail_reminder")
    op.drop_table("mail_exception")
    op.drop_table("mail_choice")
    op.drop_index(op.f("ix_notification_digest_id"), table_name="notification")
    op.drop_column("notification", "digest_id")
    op.drop_column("notification", "waited")
