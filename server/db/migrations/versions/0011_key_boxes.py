"""Key boxes, acts that wait for seven days, keys that count for their account, and where it keeps its hours."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("zone", sa.String(length=40), nullable=True))
    op.add_column("account_key", sa.Column("counts", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("account_key", sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True))
    _create_boxes()
    _create_waiting()
    for table in ("outbox", "notification"):
        op.add_column(table, sa.Column("waiting_act_id", sa.Integer(), nullable=True))


def _create_boxes() -> None:
    op.create_table(
        "key_box",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("box", sa.String(length=4096), nullable=False),
        sa.Column("kid", sa.String(length=43), nullable=False),
        sa.Column("x", sa.String(length=43), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_key_box_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_key_box")),
        sa.UniqueConstraint("kid", name=op.f("uq_key_box_kid")),
    )
    op.create_table(
        "former_box",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kid", sa.String(length=43), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_former_box_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", "kid", name=op.f("pk_former_box")),
    )


def _create_waiting() -> None:
    op.create_table(
        "waiting_act",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("act", sa.String(length=10), nullable=False),
        sa.Column("about", sa.String(length=254), nullable=False),
        sa.Column("is_signed", sa.Boolean(), nullable=False),
        sa.Column("old_said_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("new_said_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("how", sa.String(length=10), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_waiting_act_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_waiting_act")),
    )
    op.create_index(op.f("ix_waiting_act_account_id"), "waiting_act", ["account_id"], unique=False)
    op.create_index("ix_waiting_act_due", "waiting_act", ["ended_at", "due_at"], unique=False)


def downgrade() -> None:
    for table in ("notification", "outbox"):
        op.drop_column(table, "waiting_act_id")
    for table in ("waiting_act", "former_box", "key_box"):
        op.drop_table(table)
    op.drop_column("account_key", "asked_at")
    op.drop_column("account_key", "counts")
    op.drop_column("account", "zone")
