"""The contract that every game keeps. A command has its rule, an event its effect, a game its table of kinds.

Theory of operation
-------------------
State, commands, events and views are frozen Structs of integers, booleans, ASCII strings, None, tuples and Structs, so
every process hashes and writes them alike. None of them can be part of a cycle, so the garbage collector never visits
them (`gc=False`). One command is one small step of one seat:

    candidates  a superset of what is allowed; applies no rule
    check       the rule, once: returns, or raises Refused(code, facts) and changes nothing
    play        emits events and draws; never refuses

`engine.kit` makes from these, once for all games, what a game never writes itself: `legal`, `decide`, `redact`,
`parse`, `format`, `tell`, and the end: everybody else calls `active`, `outcome` and `view` of the kit, which handle
resignations and the cap. `engine.replay` plays moves, forced steps, previews and the clock.

Chance is drawn in `setup` and `play` only: from `turn.chance`, the public lane, or from `turn.secret`, the hidden one,
if anybody hides a part of the supply that is drawn from, also when the result is shown. The result goes into the event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Literal, Protocol, Self, TypeVar

import msgspec
from msgspec.structs import replace

from engine.chance import Lane
from engine.errors import EngineFault, Refused, Uncertain


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, gc=False):
    """A part of a state or of a view. A field added later has a default, which is left out of the bytes."""


class State(Value, frozen=True, kw_only=True):
    """The fields of every game's state: the rules version it began with, its seats, who began, who has resigned.

    `constant` names fields that entry 0 pins for the whole game, such as an edition: the record does not commit to them
    again after every move.
    """

    constant: ClassVar[tuple[str, ...]] = ()
    rules: int
    seats: int
    starter: int = 0  # the seat that was drawn to begin
    gone: tuple[int, ...] = ()

    @property
    def staying(self) -> tuple[int, ...]:
        """Seats that have not resigned."""
        seats = range(self.seats)
        return tuple([seat for seat in seats if seat not in self.gone]) if self.gone else tuple(seats)

    def order(self, first: int | None = None) -> tuple[int, ...]:
        """All seats in order, from this one on; without one, from the seat that began."""
        begin = self.starter if first is None else first
        return (*range(begin, self.seats), *range(begin))

    def begun_by(self, seat: int) -> Self:
        """The state with the seat that was drawn to begin. A state that stores whose turn it is sets that here, too."""
        return replace(self, starter=seat)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The ranking of the seats, at the end or before it.

    `places` holds tuples of seats, best first, ties together; every seat is in exactly one. `won` is False if
    nobody has won: the best place is then not a first place. `points` holds (heading, points by seat), and a seat's
    points add up to its score. `out` are seats eliminated by a rule.
    """

    places: tuple[tuple[int, ...], ...]
    points: tuple[tuple[str, tuple[int, ...]], ...] = ()
    out: tuple[int, ...] = ()
    won: bool = True

    @property
    def sheet(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The points as people read them: by heading, and the total below if there are several headings."""
        if len(self.points) < 2:
            return self.points
        return (*self.points, ("total", tuple(map(sum, zip(*(row for _, row in self.points), strict=True)))))


class Outcome(Standing, frozen=True, kw_only=True):
    """How a game ended; `reason` is a code of the game's `endings`, or of the kit's."""

    reason: str


class Common(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The public part of every state: its rules version, its seats, who began, who resigned, in their order."""

    rules: int
    seats: int
    starter: int
    gone: tuple[int, ...]


NOTHING_YET = Common(rules=0, seats=0, starter=0, gone=())


class View(Value, frozen=True, kw_only=True):
    """The part of a state that one seat, or anybody, may see.

    `ended` is how the game ended, None while it is running. `kit.view` fills it in from `kit.outcome`, and `common`
    from the state; a game leaves both alone, and its board and picture may read them.
    """

    ended: Outcome | None = None
    common: Common = NOTHING_YET

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.ended is not None


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The choices of a game's creator. A field named `edition` holds component data read from a file."""

    def check(self, seats: int) -> None:
        """Raise BadRecord `bad-options`, with a sentence, if these options do not fit this number of seats."""


class Spelling(msgspec.Struct, frozen=True, kw_only=True):
    """Other ways to type a command, beyond those that `engine.kit.grammar` accepts for every command.

    `sets` are tuples whose order means nothing: typed in any order, written in the order of their words. `implied` are
    optional fields that stay untyped where only one value of them is possible. `most` are numbers that stay untyped for
    as many as possible. `times`: a number typed after the command repeats it, at most this many times, so no number of
    it goes without its word. `also` are whole lines that mean the command, which then has no fields: `end turn`.
    """

    sets: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    most: tuple[str, ...] = ()
    times: int = 1
    also: tuple[str, ...] = ()


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do", gc=False):
    """One small step of a seat. Integer fields have bounds, tuples a length, and each act has one spelling.

    The docstring of each kind describes it in the API's document.
    """

    notation: ClassVar[str]
    words: ClassVar[str] = ""  # what it would do, in a sentence over its fields; see `kit.describe`
    closes: ClassVar[bool] = False  # it gives up further steps: pages show it last, and apart
    sealed: ClassVar[tuple[str, ...]] = ()
    spelling: ClassVar[Spelling] = Spelling()

    @classmethod
    def candidates(cls, state: Any, seat: int) -> Iterator[Self]:  # noqa: ARG003 - what others read
        """Candidates in a fixed order: every legal one is among them; some may be refused by `check`.

        A kind without fields is its own only candidate; all others define theirs.
        """
        yield cls()

    def check(self, state: Any, seat: int) -> None:
        """Raise Refused with a code of the game's table, or return. Reads only what `view(state, seat)` holds.

        A kind that is always possible in its phase has no rule of its own.
        """

    def untimely(self, turn: Turn, seat: int) -> Refused | None:  # noqa: ARG002 - what others read
        """The refusal of this command outside its phase, where a reason helps more than `not-now` or `not-active`.

        The seat may have become inactive in the running move. The reason reads only what `view(state, seat)` holds and
        the events of that move that the seat may see.
        """
        return None

    def costs(self, state: Any, seat: int) -> str:  # noqa: ARG002 - what others read
        """The cost of a legal command to the seat, in words (`3 action points`); "" if free.

        It is shown before the command is played, so it reads only what `view(state, seat)` holds.
        """
        return ""

    def wastes(self, state: Any, seat: int) -> str:  # noqa: ARG002 - what others read
        """What a legal command gives up although the seat could use it, in a sentence; "" if nothing much.

        Pages ask before they sign such a move, so it reads only what `view(state, seat)` holds.
        """
        return ""

    def meant(self, state: Any, seat: int) -> Self:  # noqa: ARG002 - what others read
        """The same act in its one spelling, if it was typed in another way that means the same.

        Called for typed text only. It reads only what the seat may see, decides nothing, and in doubt returns itself.
        """
        return self

    def play(self, turn: Turn, seat: int) -> None:
        """Emit what follows. The check has passed; never refuses."""
        raise NotImplementedError


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="is", gc=False):
    """A fact of play. `words` is one sentence over its own fields; sealed fields are None for all but `self.seat`.

    `printed` maps values of the record, by field, to words for people: {"card": {"rene-jessaume": "René Jessaume"}};
    `@2` in it becomes the name of the second seat's player.

    `reveals` names the parts of the state that an event opens, or from which its fields are computed, by their paths:
    `players.{seat}.hand` has the event's own field `seat` in it, `bidders.*.bid` are the bids of all. An event that
    reveals something fixes the move, and a preview ends before it.
    """

    words: ClassVar[str] = ""
    printed: ClassVar[Mapping[str, Mapping[Any, str]]] = {}
    sealed: ClassVar[tuple[str, ...]] = ()
    reveals: ClassVar[tuple[str, ...]] = ()
    ends_turn: ClassVar[bool] = False  # for the headline of a move that shows only what happened to others

    def apply(self, state: Any) -> Any:
        """The state after it, from its own fields alone: it never reads tables, refuses or draws."""
        raise NotImplementedError


class Meta(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about a game, readable without its rules."""

    key: str
    title: str
    designers: tuple[str, ...]
    year: int
    seats: tuple[int, int]  # fewest, most
    options: type[Options]
    rules: tuple[int, int]  # first version that still runs, current version
    stage: str  # "tiny" (for tests), "beta", "stable"
    cap: int  # turns after which the kit ends a game as undecided
    draws: int  # the largest number of public draws in a game: the length of its chain


S = TypeVar("S", bound=State)


class Game(Protocol[S]):
    """The object that a folder in `engine/games` offers under the name `game` in its `__init__`."""

    meta: Meta
    state: type[S]
    commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    refusals: Mapping[str, str]  # code -> one sentence over the refusal's facts
    endings: Mapping[str, str]  # an outcome's reason -> one sentence

    def setup(self, turn: Turn, seats: int, options: Any) -> None:
        """Emit `Started(turn.rules, seats, options)` first, then what is laid out and drawn before the first turn."""

    def hidden(self, options: Any) -> bool:
        """Is there anything that only some seats may know?"""

    def active(self, state: S) -> tuple[int, ...]:
        """Seats that owe a command now, ascending; () exactly when `outcome` returns an end.

        It does not handle an end by resignations or by the cap: callers use `kit.active`, which does.
        """

    def phase(self, state: S, seat: int) -> tuple[type[Command], ...]:
        """The kinds of command that an active seat has now, cheap ones first: a table, no rules."""

    def forced(self, state: S, seat: int) -> Command | None:
        """The only possible step, as everybody can tell; None in doubt."""

    def default(self, state: S, seat: int) -> Command:
        """The default move of an active seat: legal, reads only its view, and ends its turn within 50 commands."""

    def outcome(self, state: S) -> Outcome | None:
        """How it ended by its own rules; None while it is running.

        Callers use `kit.outcome`, which adds the end by resignations and by the cap; resigned seats come last.
        """

    def turns(self, state: S) -> int:
        """How many turns have been played: at `meta.cap` the kit ends a game that has not ended by its own rules."""

    def standing(self, state: S) -> Standing:
        """The ranking now, from public facts; it ranks a game that the cap ends."""

    def view(self, state: S, seat: int | None) -> View:
        """The view of a seat (None: anybody). Callers use `kit.view`, which adds how the game ended."""

    def board(self, view: Any, names: tuple[str, ...]) -> str:
        """The position as text of at most 78 columns, lines drawn in ASCII: enough to play from in a mail.

        `names` are the players' by seat, each one clean line; `kit.cut` makes one fit.
        """

    def picture(self, view: Any, names: tuple[str, ...], palette: Literal["light", "dark"] = "light") -> str:
        """The position as an SVG document of zones, in one of two palettes: `kit.document` makes it."""


class Turn:
    """A turn in the making: the state as it goes, the two lanes of chance, and the events so far."""

    def __init__(self, state: Any, chance: Lane, secret: Lane, *, rules: int = 0, preview: bool = False) -> None:
        """`rules` is the version a new game begins with; a running one keeps its own."""
        self.state = state
        self.rules: int = state.rules if state is not None else rules
        self.chance = chance
        self.secret = secret
        self.events: list[Event] = []
        self.revealed = False
        self.preview = preview

    def emit(self, event: Event) -> None:
        """Apply at once, so that a rule reads the state as it goes."""
        if event.reveals:
            if self.preview:
                raise Uncertain("reveal")
            self.revealed = True
        self.state = event.apply(self.state)
        self.events.append(event)

    @property
    def fixed(self) -> bool:
        """Has a draw or a reveal made this move final?"""
        return self.chance.drawn or self.secret.drawn or self.revealed

    def back_to(self, state: Any, events: int) -> None:
        """Return to this state, after so many events. Nothing was drawn or revealed since: that ends a preview."""
        self.state = state
        del self.events[events:]


def fold(events: Iterable[Event], state: Any = None) -> Any:
    """The state after these events: loads a game without deciding it again."""
    for event in events:
        state = event.apply(state)
    if state is None:
        raise EngineFault("no-events")
    return state
