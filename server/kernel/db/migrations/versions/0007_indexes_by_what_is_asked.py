"""Indexes for lists in their order, for the few rows that a query asks for, and for rows that have served."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NEWEST = ("created_at", "id")
LISTS = {
    "ix_game_newest": (),
    "ix_game_status_newest": ("status",),
    "ix_game_type_newest": ("type",),
}
FORMER = ("created_at", "status", "type")
FEW = {
    "ix_game_faulted_at": ("game", "faulted_at", "faulted_at IS NOT NULL"),
    "ix_game_missing_since": ("game", "missing_since", "missing_since IS NOT NULL"),
    "ix_seat_owes": ("seat", "account_id", "question_seq IS NOT NULL"),
    "ix_notification_login_link_id": ("notification", "login_link_id", "login_link_id IS NOT NULL"),
    "ix_outbox_login_link_id": ("outbox", "login_link_id", "login_link_id IS NOT NULL"),
}
OPEN = (sa.text("open IS 1"), sa.text("open IS true"))  # on SQLite, on PostgreSQL
PLAIN = (
    ("account", "name"),
    ("login_link", "expires_at"),
    ("web_session", "last_used_at"),
    ("key_challenge", "created_at"),
    ("idempotency_key", "created_at"),
)


def upgrade() -> None:
    for column in FORMER:
        op.drop_index(f"ix_game_{column}", "game")
    for name, first in LISTS.items():
        op.create_index(name, "game", [*first, *NEWEST])
    for name, (table, column, condition) in FEW.items():
        few = sa.text(condition)
        op.create_index(name, table, [column], sqlite_where=few, postgresql_where=few)
    op.create_index("ix_seat_open", "seat", ["account_id"], sqlite_where=OPEN[0], postgresql_where=OPEN[1])
    for table, column in PLAIN:
        op.create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    for table, column in PLAIN:
        op.drop_index(f"ix_{table}_{column}", table)
    op.drop_index("ix_seat_open", "seat")
    for name, (table, _, _) in FEW.items():
        op.drop_index(name, table)
    for name in LISTS:
        op.drop_index(name, "game")
    for column in FORMER:
        op.create_index(f"ix_game_{column}", "game", [column])
