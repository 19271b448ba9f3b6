"""Table talk, private notes, mutes, reports, and accounts that may not talk or sit down for a time."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

GAME = ("game_id", sa.String(length=36))
MOMENT = sa.DateTime(timezone=True)
TABLES = ("report", "own_note", "talk_mute", "talk_seen", "message")


def upgrade() -> None:
    op.add_column("game", sa.Column("talk", sa.String(length=5), server_default="seats", nullable=False))
    op.add_column("account", sa.Column("silent_until", MOMENT, nullable=True))
    op.add_column("account", sa.Column("suspended_until", MOMENT, nullable=True))
    op.create_table(
        "message",
        sa.Column(*GAME, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("head_seq", sa.Integer(), nullable=False),
        sa.Column("body", sa.String(length=1000), nullable=True),
        sa.Column("via", sa.String(length=4), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("removed_at", MOMENT, nullable=True),
        sa.Column("removed_by", sa.String(length=8), nullable=True),
        sa.PrimaryKeyConstraint("game_id", "n", name="pk_message"),
        *_foreign("message", "game_id", "account_id"),
    )
    op.create_index("ix_message_of_account", "message", ["account_id", "at"])
    op.create_index("ix_message_at", "message", ["at"])
    op.create_table(
        "talk_seen",
        sa.Column(*GAME, nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "account_id", name="pk_talk_seen"),
        *_foreign("talk_seen", "game_id", "account_id"),
    )
    op.create_index("ix_talk_seen_account_id", "talk_seen", ["account_id"])
    op.create_table(
        "talk_mute",
        sa.Column(*GAME, nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("about_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "account_id", "about_id", name="pk_talk_mute"),
        *_foreign("talk_mute", "game_id", "account_id", "about_id"),
    )
    op.create_index("ix_talk_mute_account_id", "talk_mute", ["account_id"])
    op.create_index("ix_talk_mute_about_id", "talk_mute", ["about_id"])
    op.create_table(
        "own_note",
        sa.Column(*GAME, nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "account_id", name="pk_own_note"),
        *_foreign("own_note", "game_id", "account_id"),
    )
    op.create_index("ix_own_note_account_id", "own_note", ["account_id"])
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=False),
        sa.Column("about_id", sa.Integer(), nullable=False),
        sa.Column(*GAME, nullable=True),
        sa.Column("message_n", sa.Integer(), nullable=True),
        sa.Column("why", sa.String(length=500), nullable=False),
        sa.Column("copy", sa.String(length=1000), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("closed_at", MOMENT, nullable=True),
        sa.Column("outcome", sa.String(length=500), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_report"),
        sa.UniqueConstraint("by_id", "game_id", "message_n", name="uq_report_by_id"),
        *_foreign("report", "game_id", "by_id", "about_id"),
    )
    op.create_index("ix_report_about_id", "report", ["about_id"])
    op.create_index("ix_report_at", "report", ["at"])


def _foreign(table: str, *columns: str) -> list[sa.ForeignKeyConstraint]:
    homes = {column: "game" if column == "game_id" else "account" for column in columns}
    return [
        sa.ForeignKeyConstraint([column], [f"{home}.id"], name=f"fk_{table}_{column}_{home}")
        for column, home in homes.items()
    ]


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
    op.drop_column("account", "suspended_until")
    op.drop_column("account", "silent_until")
    op.drop_column("game", "talk")
