"""Mail that comes in, kept until it is read; plans that came by mail; notifications that answer one."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "inbound_mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=6), nullable=False),
        sa.Column("token", sa.String(length=24), nullable=False),
        sa.Column("notification_id", sa.Integer(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("via", sa.String(length=8), nullable=False),
        sa.Column("relayed", sa.Boolean(), nullable=False),
        sa.Column("once", sa.String(length=100), nullable=True),
        sa.Column("name", sa.LargeBinary(), nullable=True),
        sa.Column("state", sa.String(length=11), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound_mail")),
        sa.UniqueConstraint("once", name=op.f("uq_inbound_mail_once")),
        sa.UniqueConstraint("name", name=op.f("uq_inbound_mail_name")),
    )
    op.create_index(op.f("ix_inbound_mail_notification_id"), "inbound_mail", ["notification_id"], unique=False)
    op.create_index("ix_inbound_mail_due", "inbound_mail", ["state", "next_at"], unique=False)
    op.create_index(op.f("ix_inbound_mail_ended_at"), "inbound_mail", ["ended_at"], unique=False)
    op.create_table(
        "plan",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("since_seq", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("commands", sa.Text(), nullable=False),
        sa.Column("notation", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_plan_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_plan_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_plan")),
    )
    op.create_index(op.f("ix_plan_account_id"), "plan", ["account_id"], unique=False)
    op.add_column("notification", sa.Column("inbound_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("notification", "inbound_id")
    op.drop_table("plan")
    op.drop_table("inbound_mail")
