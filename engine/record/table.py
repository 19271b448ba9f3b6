"""What all entries of a log say together: who sits where with which keys, what is drawn, whose answer is due.

A table is a value. `Table.opened` makes it from entry 0, `after` takes the next entry and gives the next table; events
are folded and nothing is checked, which is how a server loads its own store. `judge.begin` and `judge.follow` check
everything that can be checked at an entry first. The engine's state stands in it in an open game always, in a hidden
one if the full events (openings) or the secret are given; else it is None, and `questions` hold the earliest possible.

A *question* is the entry after which a seat owes an answer: one after which it is active, and before which it was
not, or which logs its own move. An act signed upon the question or any later entry is still the same answer to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from engine import registry
from engine.chance import chain_key, entropy
from engine.errors import BadRecord, NewerRecord, Refused
from engine.game import Game, fold
from engine.kit import active
from engine.kit.notation import convert
from engine.kit.resigned import SeatResigned
from engine.record import acts, base64url, instants, jws, keys
from engine.record.entry import Entry
from engine.record.options import FILE, data_hash, load_options

Stage = Literal["lobby", "running", "finished", "cancelled"]


class Occupant(msgspec.Struct, frozen=True):
    """Who sits in a seat: the key that joined, its nonce, every key in force now and those dropped since."""

    bot: bool
    kid: str
    nonce: bytes
    since: int
    keys: tuple[tuple[str, bytes], ...]
    dropped: tuple[str, ...] = ()

    def public(self, kid: str) -> bytes | None:
        """The public key (32 bytes) of this `kid`, if it is in force."""
        return next((public for own, public in self.keys if own == kid), None)


class Question(msgspec.Struct, frozen=True):
    """The entry after which a seat owes an answer."""

    seq: int
    at: str


class Leave(msgspec.Struct, frozen=True):
    """A seat given up before the start; `removed` by the server alone, without a signature."""

    seq: int
    seat: int
    kid: str
    removed: bool


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The log so far. `draw` is the number of the next public draw and `shown` the last L (32 bytes) in the log."""

    created: Mapping[str, Any]
    created_hash: bytes
    game: Any
    options: Any
    size: int
    head: bytes
    at: str
    shown: bytes
    occupants: tuple[Occupant | None, ...]
    questions: tuple[Question | None, ...]
    stage: Stage = "lobby"
    data: Mapping[str, bytes] = {}
    left: tuple[Leave, ...] = ()
    gone: tuple[int, ...] = ()
    entropy: bytes = b""
    draw: int = 1
    hidden_draw: int = 1
    state: Any = None
    outcome: Mapping[str, Any] | None = None
    secret: bytes | None = None

    @classmethod
    def opened(cls, entry: Entry, data: Mapping[str, bytes] | None = None) -> Table:
        """The table of entry 0; `data` are the files that `rules.data` names, by name.

        NewerRecord if this engine does not know the game or its rules version; BadRecord if the options are not its.
        """
        body = entry.body
        game = _find(body["rules"])
        _check_data(body["rules"]["data"] or {}, data or {})
        return cls(
            created=body,
            created_hash=entry.hash,
            game=game,
            options=load_options(game, body["options"], (data or {}).get(FILE)),
            size=1,
            head=entry.hash,
            at=entry.at,
            shown=base64url.decode(body["chance"]["chain"], 32),
            occupants=(None,) * body["seats"],
            questions=(None,) * body["seats"],
            data=data or {},
        )

    # --- what it says ---------------------------------------------------------------------------------------------

    @property
    def server(self) -> str:
        return str(self.created["server"])

    @property
    def game_id(self) -> str:
        return str(self.created["game"])

    @property
    def seats(self) -> int:
        return len(self.occupants)

    @property
    def hidden(self) -> bool:
        return bool(self.created["hidden"])

    @property
    def rules(self) -> int:
        return int(self.created["rules"]["version"])

    @property
    def is_over(self) -> bool:
        return self.stage in ("finished", "cancelled")

    @property
    def is_full(self) -> bool:
        return None not in self.occupants

    @property
    def active(self) -> tuple[int, ...]:
        """Seats that owe an answer now; in a hidden game without openings, those that perhaps do."""
        if self.stage != "running":
            return ()
        return tuple(seat for seat, question in enumerate(self.questions) if question is not None)

    def holder(self, kid: str) -> int | None:
        """The seat that holds this key, or has dropped it."""
        for seat, occupant in enumerate(self.occupants):
            if occupant and (occupant.public(kid) or kid in occupant.dropped):
                return seat
        return None

    def deadline(self, seat: int) -> int | None:
        """When the seat's answer may be given by the clock, in seconds since 1970; None if never.

        At once for a seat that has resigned; else the time of the question, the move's time and the grace.
        """
        question, clock = self.questions[seat], self.created["clock"]
        if question is None or self.stage != "running":
            return None
        if seat in self.gone:
            return instants.seconds(question.at)
        return instants.seconds(question.at) + int(clock["move"]) + int(clock["grace"]) if clock else None

    def unchanged(self, seat: int, seq: int) -> bool:
        """Would an act that the seat signed as entry `seq` mean the same now? Then it can simply be signed again."""
        question = self.questions[seat]
        return question is not None and self.stage == "running" and question.seq < seq <= self.size

    def chain_fits(self, secret: bytes) -> bool:
        """Is this the secret that entry 0 commits to?"""
        total: int = self.created["chance"]["draws"]
        return base64url.encode(chain_key(secret, total, 0)) == str(self.created["chance"]["chain"])

    # --- the next entry -------------------------------------------------------------------------------------------

    def after(self, entry: Entry, opening: Mapping[str, Any] | None = None, hidden_next: int | None = None) -> Table:
        """The table with this entry, whose events are folded and nothing is checked: for a server's own store.

        `opening` is {"seq", "move", "events"}, the full events and the move's text in a hidden game. `hidden_next` is
        the number of the next hidden draw, for a server that will go on drawing. `judge.follow` checks first.
        """
        events = opening["events"] if opening is not None else None if self.hidden else entry.body.get("events")
        state = None if events is None else fold(self.load_events(events), self.state)
        return self.noted(entry, state, hidden_next)

    def load_events(self, events: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Events from their plain values; BadRecord if one is none of the game's."""
        try:
            return [convert(event, (*self.game.events, SeatResigned)) for event in events]
        except msgspec.ValidationError as no:
            raise BadRecord("bad-event", f"no event of {self.game.meta.key}: {no}".replace("`", "'")) from None

    def noted(self, entry: Entry, state: Any = None, hidden_next: int | None = None) -> Table:
        """The table with an entry whose effect is known: only its facts are taken, nothing is checked."""
        table = _NOTED[entry.kind](self, entry)
        table = replace(table, size=self.size + 1, head=entry.hash, at=entry.at)
        if "events" not in entry.body:
            return table
        return _played(table, entry, state, hidden_next or self.hidden_draw)


def _find(rules: Mapping[str, Any]) -> Game[Any]:
    try:
        game = registry.find(rules["game"])
    except Refused:
        raise NewerRecord("unknown-game", f"this auditor does not know the game {rules['game']}", 0) from None
    first, current = game.meta.rules
    if rules["version"] > current:
        raise NewerRecord("newer-rules", f"rules {rules['version']} are newer than this auditor's {current}", 0)
    if rules["version"] < first:
        raise NewerRecord("retired-rules", f"rules {rules['version']} are retired here; {first} is the oldest", 0)
    return game


def _check_data(named: Mapping[str, str], given: Mapping[str, bytes]) -> None:
    if set(named) - {FILE}:
        raise BadRecord("unknown-data", f"the only data file of a game is {FILE}", 0)
    if set(given) != set(named):
        raise BadRecord("wrong-data", "the data files are not those that entry 0 names", 0)
    for name, data in given.items():
        if data_hash(data) != named[name]:
            raise BadRecord("wrong-data", f"{name} has another hash than entry 0 names", 0)


def entropy_of(table: Table) -> bytes:
    """E: fixed when the game starts by who sits there then; bots bring nothing."""
    if table.entropy:
        return table.entropy
    seated = (o for o in table.occupants if o is not None and not o.bot)
    return entropy(table.created_hash, ((base64url.decode(o.kid, 32), o.nonce) for o in seated))


# --- facts by kind --------------------------------------------------------------------------------------------------


def _act(entry: Entry) -> acts.Act:
    return acts.read_act(jws.read(entry.body["jws"]))


def _seated(table: Table, seat: int, occupant: Occupant | None) -> Table:
    return replace(table, occupants=(*table.occupants[:seat], occupant, *table.occupants[seat + 1 :]))


def _joined(table: Table, entry: Entry) -> Table:
    act = _act(entry)
    public = keys.parse_jwk(act.key)
    kid = keys.thumbprint(public)
    occupant = Occupant(entry.body["bot"], kid, act.nonce or b"", entry.seq, ((kid, public),))
    return _seated(table, entry.body["seat"], occupant)


def _left(table: Table, entry: Entry) -> Table:
    seat: int = entry.body["seat"]
    occupant = table.occupants[seat]
    leave = Leave(entry.seq, seat, occupant.kid if occupant else "", removed=entry.body["jws"] is None)
    return replace(_seated(table, seat, None), left=(*table.left, leave))


def _keyed(table: Table, entry: Entry) -> Table:
    act, seat = _act(entry), entry.body["seat"]
    occupant = table.occupants[seat]
    assert occupant is not None
    if act.add is not None:
        public = keys.parse_jwk(act.add)
        return _seated(table, seat, replace(occupant, keys=(*occupant.keys, (keys.thumbprint(public), public))))
    kept = tuple(pair for pair in occupant.keys if pair[0] != act.drop)
    return _seated(table, seat, replace(occupant, keys=kept, dropped=(*occupant.dropped, act.drop or "")))


def _started(table: Table, _entry: Entry) -> Table:
    return replace(table, stage="running", entropy=entropy_of(table))


def _resigned(table: Table, entry: Entry) -> Table:
    return replace(table, gone=(*table.gone, entry.body["seat"]))


def _cancelled(table: Table, entry: Entry) -> Table:
    return replace(table, stage="cancelled", secret=_secret(entry), questions=(None,) * table.seats)


def _same(table: Table, _entry: Entry) -> Table:
    return table


_NOTED = {
    "joined": _joined,
    "left": _left,
    "keyed": _keyed,
    "started": _started,
    "moved": _same,
    "resigned": _resigned,
    "expired": _same,
    "cancelled": _cancelled,
}


def _secret(entry: Entry) -> bytes | None:
    text = entry.body["secret"]
    return None if text is None else base64url.decode(text, 32)


def _played(table: Table, entry: Entry, state: Any, hidden_next: int) -> Table:
    """What an entry with events did: draws, state, the end, and whose answer is due since when."""
    body, table = entry.body, replace(table, state=state, hidden_draw=hidden_next)
    did: dict[str, Any] = {"questions": (None,) * table.seats if "outcome" in body else _questions(table, entry)}
    if "draws" in body:
        draws = body["draws"]
        did |= {"draw": draws["first"] + len(draws["got"]), "shown": base64url.decode(draws["key"], 32)}
    if "outcome" in body:
        did |= {"stage": "finished", "outcome": body["outcome"], "secret": _secret(entry)}
    return replace(table, **did)


def _questions(table: Table, entry: Entry) -> tuple[Question | None, ...]:
    """Without a state nobody knows who is active: then everybody, since his own last act at the earliest."""
    now = Question(entry.seq, entry.at)
    owing = range(table.seats) if table.state is None else active(table.game, table.state)
    author = entry.body["seat"] if entry.kind in ("moved", "expired") else None
    return tuple(
        None if seat not in owing else now if old is None or seat == author else old
        for seat, old in enumerate(table.questions)
    )
