"""Commands that use an action under way; they read the line of the action on top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

from msgspec import Meta as Bounds
from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Command, Spelling, Turn
from engine.games.lewis_clark import frames
from engine.games.lewis_clark.cards import CARDS, LINES, Line
from engine.games.lewis_clark.components import FAREWELL_DISCARDS, MOST_STRENGTH, PLACES, Good
from engine.games.lewis_clark.effects import Copy as CopyEffect
from engine.games.lewis_clark.effects import Effect, Farewell, Tile, Way
from engine.games.lewis_clark.effects import Gather as GatherEffect
from engine.games.lewis_clark.effects import Invite as InviteEffect
from engine.games.lewis_clark.events import CardDiscarded, CardMet, Copied, FarewellSaid, VillageGathered
from engine.games.lewis_clark.journal import drop_cheapest, refill
from engine.games.lewis_clark.payments import check_payment, payable, payments, spendable
from engine.games.lewis_clark.state import LewisClarkState, counted
from engine.games.lewis_clark.using import as_meant, check_choice, choices, perform
from engine.kit import OWN, named, off_table, on_table

ID = r"^[a-z0-9-]{1,30}$(?!\n)"
Card = Annotated[str, named("a card", sorted(CARDS), ID), on_table("card")]
OwnCard = Annotated[Card, on_table("card", OWN)]
Source = Annotated[str, named("a card or a place", sorted({*CARDS, *PLACES}), ID), on_table("source")]
WAYS = sorted({way.word for line in LINES.values() for way in line.ways if way.word})
Word = Annotated[str, named("a way", WAYS, ID), off_table]
Goods = Annotated[tuple[Good, ...], Bounds(min_length=1, max_length=4), on_table("good")]


def line_of(state: LewisClarkState) -> Line:
    """Return the line of the action on top."""
    return LINES[state.frame.source]


def check_strength(state: LewisClarkState) -> None:
    if not state.frame.left:
        raise Refused("no-strength-yet")


class Use(Command, frozen=True, tag="use"):
    """Use the current action once. Anything you leave out is the only choice, or everything you can get."""

    notation: ClassVar[str] = "use [as {way}] [pay {pay}] [take {take}] [only {only}]"
    words: ClassVar[str] = (
        "Use the current action once[, as {way}][, paying {pay}][, taking {take}][, with only {only}]."
    )
    spelling: ClassVar[Spelling] = Spelling(sets=("pay", "take"), implied=("way", "pay", "take"), times=MOST_STRENGTH)
    way: Word | None = None
    pay: Goods | None = None
    take: Goods | None = None
    only: Annotated[int, Bounds(ge=0, le=99), off_table] | None = None

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        if not state.frame.left:
            return
        for way in line_of(state).ways:
            for pay in payments(way.cost, spendable(state, seat)):
                for take, only in choices(state, seat, way.cost, way.effect):
                    yield cls(way.word or None, pay, take, only)  # type: ignore[arg-type]  # names of goods

    def check(self, state: LewisClarkState, seat: int) -> None:
        check_strength(state)
        way = self._way(state)
        check_payment(way.cost, spendable(state, seat), self.pay)
        check_choice(state, seat, way.cost, way.effect, self.take, self.only)

    def untimely(self, turn: Turn, seat: int) -> Refused | None:
        """Name the price that has ended an action of this move, or the action that is missing."""
        state: LewisClarkState = turn.state
        ended = frames.last_ended(turn.events)
        stock, ways = spendable(state, seat), LINES[ended].ways if ended else ()
        if ways and not any(payable(way.cost, stock) for way in ways):
            price = " or ".join(way.cost.says() for way in ways)
            return Refused("use-unpaid", action=ended, price=price, have=counted(stock.pieces))
        is_missing = state.seat == seat and not state.frames and not state.over
        return Refused("no-action") if is_missing else None

    def meant(self, state: LewisClarkState, seat: int) -> Self:
        """Drop a fixed price and everything that can be had: both follow without being named."""
        way = line_of(state).way(self.way) if state.frames else None
        if way is None:
            return self
        pay = None if self.pay and sorted(self.pay) == sorted(way.cost.fixed) and not way.cost.chosen else self.pay
        take, only = as_meant(state, seat, way, self.take, self.only)
        return replace(self, pay=pay, take=take, only=only)

    def _way(self, state: LewisClarkState) -> Way:
        way = line_of(state).way(self.way)
        if way is None:
            raise _no_way(state, self.way)
        return way

    def play(self, turn: Turn, seat: int) -> None:
        way = self._way(turn.state)
        frames.activate(turn, seat, way.cost, self.pay)
        perform(turn, seat, way.effect, self.take, self.only)
        frames.close(turn, seat)


def _no_way(state: LewisClarkState, word: str | None) -> Refused:
    action, words = state.frame.source, tuple(way.word for way in line_of(state).ways if way.word)
    if word is None:
        return Refused("which-way", action=action, expected=words)
    if not words:
        return Refused("one-way-only", action=action, found=word)
    return Refused("no-such-way", action=action, found=word, expected=words)


class Copy(Command, frozen=True, tag="copy"):
    """Use the current action to copy a card or a place once; use the copied action next."""

    notation: ClassVar[str] = "copy {what} [pay {pay}]"
    words: ClassVar[str] = "Use the current action to copy {what}[, paying {pay}]."
    spelling: ClassVar[Spelling] = Spelling(sets=("pay",), implied=("pay",))
    what: Source
    pay: Goods | None = None

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        way = line_of(state).ways[0]
        for pay in payments(way.cost, spendable(state, seat)):
            yield from (cls(what, pay) for what in to_copy(state))  # type: ignore[arg-type]  # names of goods

    def check(self, state: LewisClarkState, seat: int) -> None:
        check_strength(state)
        if self.what not in to_copy(state):
            raise Refused("not-to-copy", found=self.what, expected=tuple(to_copy(state)))
        check_payment(line_of(state).ways[0].cost, spendable(state, seat), self.pay)

    def play(self, turn: Turn, seat: int) -> None:
        frames.activate(turn, seat, line_of(turn.state).ways[0].cost, self.pay)
        turn.emit(Copied(seat, self.what))
        frames.close(turn, seat)


def to_copy(state: LewisClarkState) -> list[str]:
    """Return the cards or places that the action on top may copy."""
    effect = line_of(state).ways[0].effect
    assert isinstance(effect, CopyEffect)
    if effect.of == "character":
        return sorted({card for player in state.players for card in player.face_up})
    return [place for place in PLACES if effect.of == "place" or state.village.count(place)]


class Gather(Command, frozen=True, tag="gather"):
    """Use the Interpreter to gather all Indians of the village, and take some of them aboard."""

    notation: ClassVar[str] = "gather {count}"
    words: ClassVar[str] = "Gather the Indians of the village and take {count} of them aboard."
    spelling: ClassVar[Spelling] = Spelling(most=("count",))
    count: Annotated[int, Bounds(ge=0, le=18), off_table]

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        return (cls(n) for n in reversed(range(state.village.total + 1)))

    def check(self, state: LewisClarkState, seat: int) -> None:
        check_strength(state)
        if self.count > state.village.total:
            raise Refused("too-few-indians", found=self.count, have=state.village.total, where="in the village")

    def play(self, turn: Turn, seat: int) -> None:
        frames.activate(turn, seat, line_of(turn.state).ways[0].cost, None)
        turn.emit(VillageGathered(seat, self.count, min(1, turn.state.stock)))
        drop_cheapest(turn)
        frames.close(turn, seat)


class Invite(Command, frozen=True, tag="invite"):
    """Use Cuscalar to take a card from the journal into your hand."""

    notation: ClassVar[str] = "invite {card}"
    words: ClassVar[str] = "Take {card} from the journal into your hand."
    card: Card

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        return (cls(card) for card in state.journal)

    def check(self, state: LewisClarkState, seat: int) -> None:
        check_strength(state)
        check_payment(line_of(state).ways[0].cost, spendable(state, seat), None)
        check_in_journal(state, self.card)

    def play(self, turn: Turn, seat: int) -> None:
        frames.activate(turn, seat, line_of(turn.state).ways[0].cost, None)
        turn.emit(CardMet(seat, self.card))
        refill(turn)
        frames.close(turn, seat)


def check_in_journal(state: LewisClarkState, card: str) -> None:
    if card not in state.journal:
        raise Refused("not-in-journal", found=card, expected=state.journal)


class Discard(Command, frozen=True, tag="discard"):
    """Discard a card from your hand before the `use` of a Farewell; three at most."""

    notation: ClassVar[str] = "discard {card}"
    words: ClassVar[str] = "Discard {card} from your hand."
    card: OwnCard

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        return (cls(card) for card in state.players[seat].hand)

    def check(self, state: LewisClarkState, seat: int) -> None:
        check_in_hand(state, seat, self.card)
        if state.frame.discarded >= FAREWELL_DISCARDS:
            raise Refused("no-more-discards", most=FAREWELL_DISCARDS)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CardDiscarded(seat, self.card))
        turn.emit(FarewellSaid(seat))


def check_in_hand(state: LewisClarkState, seat: int, card: str) -> None:
    hand = state.players[seat].hand
    if card not in hand:
        raise Refused("not-in-hand", found=card, hand=hand)


USED_BY: dict[type[Effect], tuple[type[Command], ...]] = {
    Farewell: (Use, Discard),
    CopyEffect: (Copy,),
    GatherEffect: (Gather,),
    InviteEffect: (Invite,),
}


def kinds(state: LewisClarkState) -> tuple[type[Command], ...]:
    """Return the commands that use the action on top: `use`, unless its effect has another."""
    ways = line_of(state).ways
    return USED_BY.get(type(ways[0].effect), (Use,)) if ways else ()


def usable(state: LewisClarkState, seat: int) -> bool:
    """Return True if the action on top can be used at all. This runs after every command, so it lists no candidates."""
    return any(payable(way.cost, spendable(state, seat)) and _brings(state, way.effect) for way in line_of(state).ways)


def _brings(state: LewisClarkState, effect: Effect) -> bool:
    """Return True if the effect has what it needs besides its price."""
    match effect:
        case Tile():
            return state.boats.count(effect.holds) > 0
        case CopyEffect():
            return bool(to_copy(state))
        case InviteEffect():
            return bool(state.journal)
        case _:
            return True
