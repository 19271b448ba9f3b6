"""The figures of players: their turns that ended and the seats that they resigned; whether their pace is hidden.

Turns from before are counted from the entries of public tables: moves of one seat without one of another between them
are one turn. How long they took is not known. What tables ask of those who sit down has its columns here, too.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

WIDE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)
ASKS = ("asks_games", "asks_clock")
FLAGS = {"seat": "resigned", "account": "hides_pace"}
PLAYED = ("moved", "expired")
ACCOUNT = sa.table("account", *(sa.column(name) for name in ("id", "owner_id", "bot", "erased_at")))
GAME = sa.table("game", *(sa.column(name) for name in ("id", "door", "clock_move", "status")))
ENTRY = sa.table("entry", *(sa.column(name) for name in ("game_id", "seq", "kind", "line")), sa.column("at", MOMENT))
SEAT = sa.table(
    "seat",
    *(sa.column(name) for name in ("game_id", "seat", "account_id", "since_seq", "question_seq")),
    sa.column("resigned", sa.Boolean()),
)
FORMER = sa.table(
    "former_holder", *(sa.column(name) for name in ("game_id", "seat", "account_id", "since_seq", "until_seq"))
)
TURN = sa.table(
    "played_turn",
    *(sa.column(name) for name in ("game_id", "seq", "account_id", "seconds")),
    sa.column("at", MOMENT),
    sa.column("by_clock", sa.Boolean()),
)


def upgrade() -> None:
    op.create_table(
        "played_turn",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seq", WIDE, nullable=False),
        sa.Column("account_id", WIDE, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("seconds", WIDE, nullable=True),
        sa.Column("by_clock", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_played_turn"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_played_turn_game_id_game"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_played_turn_account_id_account"),
    )
    op.create_index("ix_played_turn_account_id", "played_turn", ["account_id", "at"])
    for table, name in FLAGS.items():
        op.add_column(table, sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    for name in ASKS:
        op.add_column("game", sa.Column(name, sa.SmallInteger(), nullable=False, server_default="0"))
    _mark_resigned()
    for game in op.get_bind().execute(_public()).all():
        _fill(game.id, is_over=game.status == "finished")


def _mark_resigned() -> None:
    found = sa.select(ENTRY.c.game_id, ENTRY.c.line).where(ENTRY.c.kind == "resigned")
    for row in op.get_bind().execute(found).all():
        where = (SEAT.c.game_id == row.game_id, SEAT.c.seat == json.loads(bytes(row.line))["seat"])
        op.get_bind().execute(sa.update(SEAT).where(*where).values(resigned=True))


def _public() -> sa.Select[Any]:
    begun = GAME.c.status.in_(("running", "finished"))
    return sa.select(GAME.c.id, GAME.c.status).where(begun, GAME.c.door == "open", GAME.c.clock_move.is_not(None))


def _fill(game_id: str, *, is_over: bool) -> None:
    """The turns of one game. A seat's last turn has not ended if the game waits for that seat."""
    here, holders = op.get_bind(), _holders(game_id)
    asked = _of(SEAT, game_id, SEAT.c.seat).where(SEAT.c.question_seq.is_not(None))
    owes = () if is_over else here.scalars(asked).all()
    people = {one["account_id"]: one for one in holders}
    rows = [
        {"game_id": game_id, "seq": last.seq, "account_id": holder, "at": last.at, "by_clock": last.kind == "expired"}
        for seat, last, is_last in _turns(game_id)
        if not (is_last and seat in owes)
        and (holder := _holder(holders, seat, last.seq)) is not None
        and _is_shared(people[holder], [one for one in holders if one["seat"] != seat])
    ]
    if rows:
        here.execute(sa.insert(TURN), rows)


def _turns(game_id: str) -> Iterator[tuple[int, Any, bool]]:
    """Each turn's seat and last entry, and whether it is the last turn; none of the clock after a resignation."""
    gone: set[int] = set()
    played = []
    kinds = ENTRY.c.kind.in_((*PLAYED, "resigned"))
    query = sa.select(ENTRY).where(ENTRY.c.game_id == game_id, kinds).order_by(ENTRY.c.seq)
    for row in op.get_bind().execute(query):
        seat = json.loads(bytes(row.line))["seat"]
        if row.kind == "resigned":
            gone.add(seat)
        elif seat not in gone:
            played.append((seat, row))
    turns = [(seat, list(run)[-1][1]) for seat, run in groupby(played, key=lambda one: one[0])]
    yield from ((seat, last, number == len(turns)) for number, (seat, last) in enumerate(turns, 1))


def _of(table: sa.TableClause, game_id: str, *columns: Any) -> sa.Select[Any]:
    return sa.select(*columns).where(table.c.game_id == game_id)


def _holders(game_id: str) -> Sequence[Mapping[str, Any]]:
    """The holders of each seat, from which entry until which, and what their accounts are; no deleted ones."""
    about = (ACCOUNT.c.owner_id, ACCOUNT.c.bot)
    columns = ("seat", "account_id", "since_seq")
    now = _of(SEAT, game_id, *(SEAT.c[name] for name in columns), sa.null().label("until_seq"), *about)
    then = _of(FORMER, game_id, *(FORMER.c[name] for name in columns), FORMER.c.until_seq, *about)
    both = (
        query.join(ACCOUNT, ACCOUNT.c.id == table.c.account_id).where(ACCOUNT.c.erased_at.is_(None))
        for query, table in ((now, SEAT), (then, FORMER))
    )
    return [dict(row) for query in both for row in op.get_bind().execute(query).mappings()]


def _holder(holders: Sequence[Mapping[str, Any]], seat: int, seq: int) -> int | None:
    """The account that held the seat at entry `seq`."""
    found = (
        one["account_id"]
        for one in holders
        if one["seat"] == seat and one["since_seq"] < seq and (one["until_seq"] is None or seq < one["until_seq"])
    )
    return next(found, None)


def _is_shared(holder: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> bool:
    """Did the account play with another person? Its owner is none."""
    return any(not one["bot"] and one["account_id"] not in (holder["owner_id"], holder["account_id"]) for one in others)


def downgrade() -> None:
    for name in ASKS:
        op.drop_column("game", name)
    for table, name in FLAGS.items():
        op.drop_column(table, name)
    op.drop_table("played_turn")
