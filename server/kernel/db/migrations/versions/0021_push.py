"""Web push: subscriptions of browsers, and the notifications that wait for them."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

WIDE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "push_subscription",
        sa.Column("id", WIDE, nullable=False),
        sa.Column("account_id", WIDE, nullable=False),
        sa.Column("session_id", WIDE, nullable=True),
        sa.Column("token_id", WIDE, nullable=True),
        sa.Column("endpoint", sa.String(length=500), nullable=False),
        sa.Column("host", sa.String(length=253), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("p256dh", sa.LargeBinary(), nullable=False),
        sa.Column("auth", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("renewed_at", MOMENT, nullable=False),
        sa.Column("last_used_at", MOMENT, nullable=True),
        sa.Column("clicked_at", MOMENT, nullable=True),
        sa.Column("waits_until", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_push_subscription"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_push_subscription_account_id_account"),
        sa.UniqueConstraint("hash", name="uq_push_subscription_hash"),
    )
    op.create_index("ix_push_subscription_account_id", "push_subscription", ["account_id"])
    op.create_index("ix_push_subscription_session_id", "push_subscription", ["session_id"])
    op.create_table(
        "push_message",
        sa.Column("id", WIDE, nullable=False),
        sa.Column("subscription_id", WIDE, nullable=False),
        sa.Column("dedupe_key", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", WIDE, nullable=True),
        sa.Column("seq", WIDE, nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=True),
        sa.Column("attempts", WIDE, nullable=False),
        sa.Column("next_at", MOMENT, nullable=False),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("request_id", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_push_message"),
        sa.ForeignKeyConstraint(
            ["subscription_id"], ["push_subscription.id"], name="fk_push_message_subscription_id_push_subscription"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_push_message_game_id_game"),
        sa.UniqueConstraint("subscription_id", "dedupe_key", name="uq_push_message_subscription_id"),
    )
    op.create_index("ix_push_message_due", "push_message", ["state", "next_at"])
    op.create_index("ix_push_message_dedupe_key", "push_message", ["dedupe_key"])
    op.create_index("ix_push_message_game_id", "push_message", ["game_id"])
    op.create_index("ix_push_message_ended_at", "push_message", ["ended_at"])


def downgrade() -> None:
    op.drop_table("push_message")
    op.drop_table("push_subscription")
