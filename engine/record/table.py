"""What all entries of a log say together: who sits where with which keys, what is drawn, whose answer is due.

A table is a value. `Table.opened` makes it from entry 0, `after` takes the next entry and gives the next table; events
are folded and nothing is checked, which is how a server loads its own store. `judge.begin` and `judge.follow` check
everything that can be checked at an entry first. The engine's state stands in it in an open game always, in a hidden
one if the full events (openings) or the secret are given; else it is None, and `questions` hold the earliest possible.

A *question* is the entry after which a seat owes an answer: one after which it is active, and before which it was
not, or which logs its own move. An act signed upon the question or any later entry is still the same answer to it.
How long a seat may take is counted from stretches of questions without a break: `clock.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from engine import registry
from engine.chance import chain_key
from engine.errors import BadRecord, NewerRecord, Refused
from engine.game import Game, fold
from engine.kit.notation import convert
from engine.kit.resigned import SeatResigned
from engine.record import base64url, clock, facts, instants
from engine.record.clock import Time
from engine.record.door import Signed
from engine.record.entry import Entry
from engine.record.options import FILE, data_hash, load_options
from engine.record.seats import Leave, Occupant, Question

Stage = Literal["lobby", "running", "finished", "cancelled"]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The log so far. `draw` is the number of the next public draw and `shown` the last L (32 bytes) in the log.

    By seat: `held` are the kids that hold or have held it, `offers` how often it was opened, `takes` how often taken.
    """

    created: Mapping[str, Any]
    created_hash: bytes
    hidden: bool
    game: Any
    options: Any
    size: int
    head: bytes
    at: str
    shown: bytes
    occupants: tuple[Occupant | None, ...]
    questions: tuple[Question | None, ...]
    times: tuple[Time, ...]
    held: tuple[frozenset[str], ...]
    stage: Stage = "lobby"
    joins: int = 0
    offers: tuple[int, ...] = ()
    takes: tuple[int, ...] = ()
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
        body, seats = entry.body, entry.body["seats"]
        game = _find(body["rules"])
        _check_data(body["rules"]["data"] or {}, data or {})
        return cls(
            created=body,
            created_hash=entry.hash,
            hidden=body["hidden"],
            game=game,
            options=load_options(game, body["options"], (data or {}).get(FILE)),
            size=1,
            head=entry.hash,
            at=entry.at,
            shown=base64url.decode(body["chance"]["chain"], 32),
            occupants=(None,) * seats,
            questions=(None,) * seats,
            times=clock.opened(body["clock"], seats),
            held=(frozenset(),) * seats,
            offers=(0,) * seats,
            takes=(0,) * seats,
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

    def owes(self, seat: int) -> bool:
        """Is the seat among the active ones?"""
        return self.stage == "running" and self.questions[seat] is not None

    def holder(self, kid: str) -> int | None:
        """The seat that this key holds or has held."""
        return next((seat for seat, held in enumerate(self.held) if kid in held), None)

    def is_open(self, seat: int) -> bool:
        """Has the holder offered the seat?"""
        occupant = self.occupants[seat]
        return occupant is not None and occupant.open

    def is_absent(self, seat: int) -> bool:
        """Has the clock ended so many stretches of the seat in a row that it counts as absent?"""
        return seat not in self.gone and clock.is_absent(self.times[seat], self.created["clock"])

    def is_free(self, seat: int) -> bool:
        """May somebody else take the seat now?"""
        if self.stage != "running" or seat in self.gone:
            return False
        absent = self.created["handover"] in ("absent", "both") and self.is_absent(seat)
        return self.is_open(seat) or absent

    def deadline(self, seat: int) -> int | None:
        """When the seat's answer may be given by the clock, in seconds since 1970; None if never.

        At once for a seat that has resigned; else when the time that the clock promises is over.
        """
        question = self.questions[seat]
        if question is None or self.stage != "running":
            return None
        if seat in self.gone:
            return instants.seconds(question.at)
        return clock.deadline(self.times[seat], self.created["clock"], exact=self.state is not None)

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

    def noted(
        self, entry: Entry, state: Any = None, hidden_next: int | None = None, signed: Signed | None = None
    ) -> Table:
        """The table with an entry whose effect is known: only its facts are taken, nothing is checked."""
        table = facts.noted(self, entry, signed)
        did: dict[str, Any] = {"size": self.size + 1, "head": entry.hash, "at": entry.at}
        if "events" in entry.body:
            did |= facts.played(table, entry, state, hidden_next or self.hidden_draw)
        return replace(table, **did)


def _find(rules: Mapping[str, Any]) -> Game[Any]:
    try:
        game = registry.find(rules["game"])
    except Refused as no:
        is_out = no.code == "game-out"
        says = "the rules of {} cannot be loaded here" if is_out else "this auditor does not know the game {}"
        raise NewerRecord(no.code, says.format(rules["game"]), 0) from None
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
