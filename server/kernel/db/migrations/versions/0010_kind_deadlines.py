"""Deadlines of the server: rest days, holidays, pauses, outages; a seat counts the deadlines that it has had."""

from datetime import timedelta

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
OF_SEAT = ("promised", "own_until", "changed_at")
SMALL = ("rest_days", "host_pause")


def upgrade() -> None:
    _of_games()
    _of_seats()
    _tables()
    for table in ("outbox", "notification"):
        op.add_column(table, sa.Column("holiday_id", sa.Integer(), nullable=True))
    op.add_column("outbox", sa.Column("seat", sa.Integer(), nullable=True))


def _of_games() -> None:
    """Tables from before have no calendar: their players were told otherwise."""
    for name in SMALL:
        op.add_column("game", sa.Column(name, sa.SmallInteger(), nullable=False, server_default="0"))
    op.add_column("game", sa.Column("rest_zone", sa.String(length=40), nullable=True))
    op.add_column("game", sa.Column("holidays", sa.String(length=5), nullable=False, server_default="no"))


def _of_seats() -> None:
    for name in OF_SEAT:
        op.add_column("seat", sa.Column(name, MOMENT, nullable=True))
    for name in ("deadline_n", "spare"):
        op.add_column("seat", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    op.execute("ALTER TABLE seat RENAME COLUMN reminded_seq TO reminded_n")
    op.execute("ALTER TABLE mail_reminder RENAME COLUMN deadline_seq TO deadline_n")
    same = "entry.game_id = seat.game_id AND entry.seq = seat.deadline_seq"
    op.execute(f"UPDATE seat SET changed_at = (SELECT entry.at FROM entry WHERE {same})")  # noqa: S608 - all constants
    op.execute("UPDATE seat SET promised = deadline, deadline_n = coalesce(deadline_seq, 0)")
    op.drop_column("seat", "deadline_seq")
    _set_own_time()


def _set_own_time() -> None:
    """The deadline without the grace period, which is all that an absent seat has."""
    seat = sa.table("seat", *map(sa.column, ("game_id", "seat", "absent")), *(sa.column(n, MOMENT) for n in TIMES))
    game = sa.table("game", sa.column("id"), sa.column("clock_grace"))
    rows = sa.select(seat.c.game_id, seat.c.seat, seat.c.absent, seat.c.deadline, game.c.clock_grace)
    rows = rows.join_from(seat, game, game.c.id == seat.c.game_id).where(seat.c.deadline.is_not(None))
    for row in op.get_bind().execute(rows).all():
        own = row.deadline - timedelta(seconds=0 if row.absent else row.clock_grace or 0)
        where = (seat.c.game_id == row.game_id, seat.c.seat == row.seat)
        op.get_bind().execute(sa.update(seat).where(*where).values(own_until=own))


TIMES = ("deadline", "own_until")


def _tables() -> None:
    op.create_table(
        "holiday",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        *(sa.Column(name, MOMENT, nullable=False) for name in ("starts_at", "ends_at", "made_at")),
        *(sa.Column(name, MOMENT, nullable=True) for name in ("ended_at", "applied_at")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_holiday_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_holiday"),
    )
    op.create_index("ix_holiday_account_id", "holiday", ["account_id"])
    op.create_table(
        "pause",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        *(sa.Column(name, MOMENT, nullable=False) for name in ("starts_at", "ends_at")),
        sa.Column("kind", sa.String(length=4), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=True),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_pause_game_id_game"),
        sa.ForeignKeyConstraint(["by_id"], ["account.id"], name="fk_pause_by_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_pause"),
    )
    op.create_index("ix_pause_game_id", "pause", ["game_id"])
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), nullable=False),
        *(sa.Column(name, MOMENT, nullable=False) for name in ("starts_at", "ends_at")),
        sa.Column("applied_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outage"),
    )
    op.create_index("ix_outage_ends_at", "outage", ["ends_at"])
    open_ = sa.text("applied_at IS NULL")
    for table in ("holiday", "outage"):
        op.create_index(f"ix_{table}_applied_at", table, ["id"], sqlite_where=open_, postgresql_where=open_)
    op.create_table(
        "beat",
        sa.Column("kind", sa.String(length=5), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("kind", name="pk_beat"),
    )


def downgrade() -> None:
    op.drop_column("outbox", "seat")
    for table in ("outbox", "notification"):
        op.drop_column(table, "holiday_id")
    for table in ("beat", "outage", "pause", "holiday"):
        op.drop_table(table)
    op.add_column("seat", sa.Column("deadline_seq", sa.Integer(), nullable=True))
    op.execute("UPDATE seat SET deadline = promised, deadline_seq = deadline_n")
    op.execute("ALTER TABLE seat RENAME COLUMN reminded_n TO reminded_seq")
    op.execute("ALTER TABLE mail_reminder RENAME COLUMN deadline_n TO deadline_seq")
    for name in (*OF_SEAT, "deadline_n", "spare"):
        op.drop_column("seat", name)
    for name in (*SMALL, "rest_zone", "holidays"):
        op.drop_column("game", name)
