"""The rules of Oysters: state, events, commands, and the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta as Bounds
from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Command, Event, Meta, Options, Outcome, Standing, State, Turn, Value, View
from engine.kit import FirstPlayerDrawn, Palette, Supply, draw_first, off_table, on_table, ranked
from sealedmove_oysters import table

Oyster = Literal["crab", "pearl", "?"]  # "?" in views: face down
GOAL = 2


class Player(Value, frozen=True):
    hand: tuple[Oyster, ...]
    pile: tuple[Oyster, ...] = ()  # face down, the last on top
    opened: int = 0  # of the pile, from the top
    points: int = 0


class OystersState(State, frozen=True):
    players: tuple[Player, ...]
    seat: int = 0  # the seat to move
    bid: int = 0
    passed: tuple[int, ...] = ()
    diving: bool = False
    rounds: int = 0

    def begun_by(self, seat: int) -> OystersState:
        return replace(self, starter=seat, seat=seat)

    def put(self, seat: int, **changes: Any) -> OystersState:
        changed = replace(self.players[seat], **changes)
        return replace(self, players=(*self.players[:seat], changed, *self.players[seat + 1 :]))

    def to(self, seat: int) -> OystersState:
        """It is the turn of this seat, or of the next one that has oysters and has not passed."""
        has_oysters = [bool(player.hand or player.pile) for player in self.players]
        return replace(self, seat=next(s for s in self.order(seat) if has_oysters[s] and s not in self.passed))

    @property
    def laid(self) -> int:
        return sum(len(player.pile) for player in self.players)

    @property
    def closed(self) -> list[int]:
        """The seats that have an oyster to open."""
        return [seat for seat, player in enumerate(self.players) if player.opened < len(player.pile)]


class OystersView(View, frozen=True):
    players: tuple[Player, ...]
    seat: int
    bid: int
    passed: tuple[int, ...]
    diving: bool


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "Everyone has three pearls and a crab."
    rules: int
    seats: int
    options: Options

    def apply(self, state: None) -> OystersState:
        players = (Player(hand=("crab", "pearl", "pearl", "pearl")),) * self.seats
        return OystersState(rules=self.rules, seats=self.seats, players=players)


class Laid(Event, frozen=True, tag="Laid"):
    words: ClassVar[str] = "{seat} laid an oyster: {what}."
    sealed: ClassVar[tuple[str, ...]] = ("what",)
    seat: int
    what: Oyster | None

    def apply(self, state: OystersState) -> OystersState:
        own, what = state.players[self.seat], self.what or "?"
        laid = state.put(self.seat, hand=_without(own.hand, what), pile=(*own.pile, what))
        return laid.to((self.seat + 1) % state.seats)


class Announced(Event, frozen=True, tag="Announced"):
    words: ClassVar[str] = "{seat} announced {amount:pearl}."
    seat: int
    amount: int

    def apply(self, state: OystersState) -> OystersState:
        return replace(state, bid=self.amount).to((self.seat + 1) % state.seats)


class Passed(Event, frozen=True, tag="Passed"):
    words: ClassVar[str] = "{seat} passed."
    seat: int

    def apply(self, state: OystersState) -> OystersState:
        return replace(state, passed=(*state.passed, self.seat)).to(self.seat)


class Opened(Event, frozen=True, tag="Opened"):
    words: ClassVar[str] = "{diver_seat} opened an oyster of {seat}: a {what}."
    reveals: ClassVar[tuple[str, ...]] = ("players.{seat}.pile",)
    seat: int
    diver_seat: int
    what: Oyster

    def apply(self, state: OystersState) -> OystersState:
        opened = state.put(self.seat, opened=state.players[self.seat].opened + 1)
        return replace(opened, seat=self.diver_seat, diving=True)


class RoundEnded(Event, frozen=True, tag="RoundEnded"):
    words: ClassVar[str] = "{seat} ended the round[points: with {points:point}]."
    seat: int
    points: int

    def apply(self, state: OystersState) -> OystersState:
        for seat, own in enumerate(state.players):
            points = own.points + self.points * (seat == self.seat)
            state = state.put(seat, hand=tuple(sorted(own.hand + own.pile)), pile=(), opened=0, points=points)
        return replace(state, bid=0, passed=(), diving=False, rounds=state.rounds + 1)


class Lost(Event, frozen=True, tag="Lost"):
    words: ClassVar[str] = "{seat} lost an oyster: {what}."
    sealed: ClassVar[tuple[str, ...]] = ("what",)
    seat: int
    what: Oyster | None

    def apply(self, state: OystersState) -> OystersState:
        return state.put(self.seat, hand=_without(state.players[self.seat].hand, self.what or "?")).to(self.seat)


def _without(hand: tuple[Oyster, ...], what: Oyster) -> tuple[Oyster, ...]:
    at = hand.index(what)
    return hand[:at] + hand[at + 1 :]


class Lay(Command, frozen=True, tag="lay"):
    """Lay an oyster from your hand face down on your pile."""

    notation: ClassVar[str] = "lay {what}"
    sealed: ClassVar[tuple[str, ...]] = ("what",)
    what: Annotated[Literal["crab", "pearl"], off_table]

    @classmethod
    def candidates(cls, state: OystersState, seat: int) -> Iterator[Self]:
        return iter((cls("crab"), cls("pearl")))

    def check(self, state: OystersState, seat: int) -> None:
        if self.what not in state.players[seat].hand:
            raise Refused("not-in-hand", found=self.what)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Laid(seat, self.what))


class Bid(Command, frozen=True, tag="bid"):
    """Announce how many pearls you can open, once everyone has laid an oyster."""

    notation: ClassVar[str] = "bid {amount}"
    amount: Annotated[int, Bounds(ge=1, le=24), off_table]

    @classmethod
    def candidates(cls, state: OystersState, seat: int) -> Iterator[Self]:
        return (cls(amount) for amount in range(state.bid + 1, state.laid + 1))

    def check(self, state: OystersState, seat: int) -> None:
        if any(player.hand and not player.pile for player in state.players):
            raise Refused("too-early")
        if not state.bid < self.amount <= state.laid:
            raise Refused("out-of-range", found=self.amount, least=state.bid + 1, most=state.laid)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Announced(seat, self.amount))
        if self.amount == turn.state.laid:
            _dive(turn, seat)


class Pass(Command, frozen=True, tag="pass"):
    """Leave the opening to the last bidder."""

    notation: ClassVar[str] = "pass"

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Passed(seat))
        bidder = turn.state.seat
        if turn.state.to((bidder + 1) % turn.state.seats).seat == bidder:
            _dive(turn, bidder)


class Open(Command, frozen=True, tag="open"):
    """Open the top oyster of another player."""

    notation: ClassVar[str] = "open {owner_seat}"
    owner_seat: Annotated[int, Bounds(ge=0, le=5), on_table("seat")]

    @classmethod
    def candidates(cls, state: OystersState, seat: int) -> Iterator[Self]:
        return map(cls, range(state.seats))

    def check(self, state: OystersState, seat: int) -> None:
        if self.owner_seat not in state.closed:
            raise Refused("nothing-to-open", owner_seat=self.owner_seat)

    def play(self, turn: Turn, seat: int) -> None:
        _open(turn, seat, self.owner_seat)


def _dive(turn: Turn, diver: int) -> None:
    """The own pile comes first, and nobody has a choice."""
    rounds = turn.state.rounds
    while turn.state.rounds == rounds and diver in turn.state.closed:
        _open(turn, diver, diver)


def _open(turn: Turn, diver: int, owner: int) -> None:
    """A crab ends the round, and so does the last announced pearl."""
    what = turn.state.players[owner].pile[-1 - turn.state.players[owner].opened]
    turn.emit(Opened(owner, diver, what))
    found = sum(player.opened for player in turn.state.players)
    if what == "crab" or found == turn.state.bid:
        turn.emit(RoundEnded(diver, int(what != "crab")))
    if what == "crab":
        hand = Supply.of(Counter(turn.state.players[diver].hand))
        turn.emit(Lost(diver, turn.secret.pick(hand)))  # type: ignore[arg-type]  # a name of the supply


class Oysters:
    meta = Meta(
        key="oysters",
        title="Oysters",
        designers=("an example",),
        year=2026,
        seats=(2, 6),
        options=Options,
        rules=(1, 1),
        stage="beta",
        cap=40,
        draws=1,
    )
    state = OystersState
    commands = (Lay, Bid, Pass, Open)
    events = (Started, FirstPlayerDrawn, Laid, Announced, Passed, Opened, RoundEnded, Lost)
    refusals: ClassVar[dict[str, str]] = {
        "not-in-hand": "You do not hold {found}.",
        "too-early": "Somebody has not laid an oyster yet.",
        "out-of-range": "You cannot announce {found}. Possible: {least} to {most}.",
        "nothing-to-open": "{owner_seat} has no oyster to open.",
    }
    endings: ClassVar[dict[str, str]] = {"goal": "Two points are scored.", "last": "Only one player has oysters left."}

    def setup(self, turn: Turn, seats: int, options: Options) -> None:
        turn.emit(Started(turn.rules, seats, options))
        draw_first(turn)

    def hidden(self, options: Options) -> bool:
        return True

    def active(self, state: OystersState) -> tuple[int, ...]:
        return () if self.outcome(state) else (state.seat,)

    def phase(self, state: OystersState, seat: int) -> tuple[type[Command], ...]:
        if state.diving:
            return (Open,)
        return (Pass, Bid) if state.bid else (Lay, Bid)

    def forced(self, state: OystersState, seat: int) -> Command | None:
        closed = state.closed
        return Open(closed[0]) if state.diving and len(closed) == 1 else None

    def default(self, state: OystersState, seat: int) -> Command:
        if state.diving:
            return Open(state.closed[0])
        hand = state.players[seat].hand
        return Pass() if state.bid else Lay(hand[-1]) if hand else Bid(1)  # type: ignore[arg-type]  # never "?"

    def outcome(self, state: OystersState) -> Outcome | None:
        now = self.standing(state)
        is_goal = any(player.points == GOAL for player in state.players)
        if not is_goal and state.seats - len(now.out) > 1:
            return None
        return Outcome(places=now.places, points=now.points, out=now.out, reason="goal" if is_goal else "last")

    def turns(self, state: OystersState) -> int:
        return state.rounds

    def standing(self, state: OystersState) -> Standing:
        points = tuple(player.points for player in state.players)
        out = tuple(seat for seat, player in enumerate(state.players) if not player.hand + player.pile)
        best = ranked({seat: n for seat, n in enumerate(points) if seat not in out})
        return Standing(places=(*best, *ranked({s: points[s] for s in out})), points=(("points", points),), out=out)

    def view(self, state: OystersState, seat: int | None) -> OystersView:
        players = tuple(one if own == seat else _seen(one) for own, one in enumerate(state.players))
        return OystersView(players=players, seat=state.seat, bid=state.bid, passed=state.passed, diving=state.diving)

    def board(self, view: OystersView, names: tuple[str, ...]) -> str:
        return table.board(view, names)

    def picture(self, view: OystersView, names: tuple[str, ...], palette: Palette = "light") -> str:
        return table.picture(view, names, palette)


def _seen(player: Player) -> Player:
    """A player as others see them."""
    down = len(player.pile) - player.opened
    return replace(player, hand=("?",) * len(player.hand), pile=("?",) * down + player.pile[down:])


game: Any = Oysters()
