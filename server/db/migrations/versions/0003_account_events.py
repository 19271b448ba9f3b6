"""What happened to an account's seats, numbered for each account: what its streams and hooks are told."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("events", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "account_event",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_account_event_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_account_event_game_id_game")),
        sa.PrimaryKeyConstraint("account_id", "n", name=op.f("pk_account_event")),
    )
    op.create_index("ix_account_event_created_at", "account_event", ["created_at"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_account_event_created_at", table_name="account_event")
    op.drop_table("account_event")
    op.drop_column("account", "events")
