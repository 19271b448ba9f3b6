"""Webhooks of accounts, their deliveries, and what was answered."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("host", sa.String(length=500), nullable=False),
        sa.Column("kinds", sa.String(length=200), nullable=True),
        sa.Column("signature", sa.String(length=3), nullable=False),
        sa.Column("secret_r", sa.LargeBinary(), nullable=False),
        sa.Column("former_r", sa.LargeBinary(), nullable=True),
        sa.Column("former_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cursor", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paused", sa.String(length=10), nullable=True),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_hook_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hook")),
    )
    op.create_index(op.f("ix_hook_account_id"), "hook", ["account_id"], unique=False)
    op.create_table(
        "hook_delivery",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hook_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=True),
        sa.Column("lane", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["hook_id"], ["hook.id"], name=op.f("fk_hook_delivery_hook_id_hook")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hook_delivery")),
        sa.UniqueConstraint("hook_id", "n", name=op.f("uq_hook_delivery_hook_id")),
    )
    op.create_index("ix_hook_delivery_due", "hook_delivery", ["state", "next_at"], unique=False)
    op.create_index("ix_hook_delivery_lane", "hook_delivery", ["hook_id", "lane", "state", "n"], unique=False)
    op.create_index(op.f("ix_hook_delivery_ended_at"), "hook_delivery", ["ended_at"], unique=False)
    op.create_table(
        "hook_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("delivery_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("error", sa.String(length=20), nullable=True),
        sa.Column("ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["delivery_id"], ["hook_delivery.id"], name=op.f("fk_hook_answer_delivery_id_hook_delivery")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hook_answer")),
    )
    op.create_index(op.f("ix_hook_answer_delivery_id"), "hook_answer", ["delivery_id"], unique=False)


def downgrade() -> None:
    op.drop_table("hook_answer")
    op.drop_table("hook_delivery")
    op.drop_table("hook")
