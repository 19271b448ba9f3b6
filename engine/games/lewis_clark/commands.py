"""The commands of a turn: begin an action and give it strength, recruit, make camp, end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar, Literal, Self

from msgspec import Meta as Bounds
from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Command, Spelling, Turn
from engine.games.lewis_clark import camping, frames
from engine.games.lewis_clark.acts import Card, OwnCard, check_in_hand, check_in_journal, usable
from engine.games.lewis_clark.cards import BACKS, CARDS, Kind, back, helper
from engine.games.lewis_clark.components import JOURNAL_FUR, MOST_STRENGTH, PLACES
from engine.games.lewis_clark.effects import Cheaper
from engine.games.lewis_clark.events import (
    CardCovered,
    CardDiscarded,
    CardLaidUnder,
    CardMet,
    CardPlayed,
    Conceded,
    IndiansGiven,
    IndiansPlaced,
    Paid,
    Recruited,
)
from engine.games.lewis_clark.journal import refill
from engine.games.lewis_clark.state import LewisClarkState, counted
from engine.games.lewis_clark.turns import end_turn
from engine.kit import named, off_table

PlaceName = Literal["hunting", "craftsmanship", "gift", "farewell", "shamanism", "upgrade", "canoes", "horses"]
PLACE_NAMES: tuple[PlaceName, ...] = (
    "hunting", "craftsmanship", "gift", "farewell", "shamanism", "upgrade", "canoes", "horses",
)  # fmt: skip
Few = Annotated[int, Bounds(ge=1, le=MOST_STRENGTH), off_table]
Back = Annotated[str, named("a back", BACKS, r"^[123]-(equipment|food|fur|wood)$(?!\n)"), off_table]
KindOfBack = Annotated[Kind, off_table]


# --- an action ------------------------------------------------------------------------------------------------------


class Play(Command, frozen=True, tag="play"):
    """Play a card from your hand face up to use its action; give it strength next."""

    notation: ClassVar[str] = "play {card}"
    words: ClassVar[str] = "Play {card} face up to use its action."
    card: OwnCard

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        return (cls(card) for card in state.players[seat].hand)

    def check(self, state: LewisClarkState, seat: int) -> None:
        check_in_hand(state, seat, self.card)
        if not can_act(state, seat):
            raise Refused("no-strength")

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CardPlayed(seat, self.card))


def can_act(state: LewisClarkState, seat: int) -> bool:
    """Return True if this seat can take any action: with two cards, or with an Indian for a card or an open place."""
    player = state.players[seat]
    return player.indians > 0 or len(player.hand) > 1


class Under(Command, frozen=True, tag="under"):
    """Lay a card from your hand face down under the card just played, for its strength.

    With `covered` set to `hidden`, others see only its `back`, and its `kind` since rules version 4.
    """

    notation: ClassVar[str] = "under {card} [showing {back}] [as {kind}]"
    words: ClassVar[str] = "Lay {card} face down under the card just played, for its strength."
    spelling: ClassVar[Spelling] = Spelling(implied=("back", "kind"))
    sealed: ClassVar[tuple[str, ...]] = ("card",)
    card: OwnCard
    back: Back | None = None
    kind: KindOfBack | None = None

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        return (cls(card, *shown_back(state, card)) for card in state.players[seat].hand)

    def check(self, state: LewisClarkState, seat: int) -> None:
        check_in_hand(state, seat, self.card)
        back_, kind = shown_back(state, self.card)
        if (self.back, self.kind) != (back_, kind):
            expected = f"{back_} as {kind}" if kind else back_
            raise Refused("other-back", card=self.card, expected=expected) if expected else Refused("open-back")
        if state.players[seat].table[-1].under:
            raise Refused("one-card-under", card=state.players[seat].table[-1].under)
        check_sum(state, CARDS[self.card].strength)

    def meant(self, state: LewisClarkState, seat: int) -> Self:
        """Fill in the back, which follows from the card."""
        back_, kind = shown_back(state, self.card)
        return replace(self, back=back_, kind=kind)

    def play(self, turn: Turn, seat: int) -> None:
        strength, badge = CARDS[self.card].strength, CARDS[self.card].badge
        if turn.state.covers:
            turn.emit(CardCovered(seat, self.card, strength, badge, self.kind))
        else:
            turn.emit(CardLaidUnder(seat, self.card, strength))
        frames.close(turn, seat)


def shown_back(state: LewisClarkState, card: str) -> tuple[str | None, Kind | None]:
    """Return what others see of a card laid face down; nothing if they see the card itself."""
    return back(card, state.rules) if state.covers else (None, None)


def under(state: LewisClarkState, card: str) -> Under:
    """Return the command for this card of the hand."""
    return Under(card, *shown_back(state, card))


def can_strengthen(state: LewisClarkState, seat: int) -> bool:
    """Return True if the card just played has some strength and can get more."""
    player, room = state.players[seat], MOST_STRENGTH - state.frame.left
    top = player.table[-1]
    if not top.indians and player.indians and room:
        return True
    return not top.under and any(CARDS[card].strength <= room for card in player.hand)


def check_sum(state: LewisClarkState, more: int) -> None:
    """Refuse a total strength above three."""
    if state.frame.left + more > MOST_STRENGTH:
        raise Refused("too-strong", found=state.frame.left + more, given=state.frame.left, most=MOST_STRENGTH)


class Indians(Command, frozen=True, tag="indians"):
    """Put Indians from your boats on the card just played, for a strength of 1 each."""

    notation: ClassVar[str] = "indians {count}"
    words: ClassVar[str] = "Put {count:Indian} on the card just played."
    count: Few

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        return (cls(n) for n in range(1, MOST_STRENGTH - state.frame.left + 1))

    def check(self, state: LewisClarkState, seat: int) -> None:
        check_indians(state, seat, self.count)
        if state.players[seat].table[-1].indians:
            raise Refused("indians-given", count=state.players[seat].table[-1].indians)
        check_sum(state, self.count)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(IndiansGiven(seat, self.count))
        frames.close(turn, seat)


def check_indians(state: LewisClarkState, seat: int, count: int) -> None:
    have = state.players[seat].indians
    if count > have:
        raise Refused("too-few-indians", found=count, have=have, where="aboard")


class Village(Command, frozen=True, tag="village"):
    """Send Indians from your boats to a place in the village and use its action, once for each."""

    notation: ClassVar[str] = "village {place} {count}"
    words: ClassVar[str] = "Send {count:Indian} to {place} in the village."
    place: PlaceName
    count: Few

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        most = min(state.players[seat].indians, MOST_STRENGTH)
        return (cls(place, n) for place in PLACE_NAMES for n in range(1, most + 1))

    def check(self, state: LewisClarkState, seat: int) -> None:
        check_indians(state, seat, self.count)
        circles = PLACES[self.place].circles
        if circles and self.count > 1:
            raise Refused("one-at-a-time", place=self.place)
        if circles and state.village.count(self.place) >= circles:
            raise Refused("place-full", place=self.place, count=circles)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(IndiansPlaced(seat, self.place, self.count))


class Stop(Command, frozen=True, tag="stop"):
    """End this action and leave the rest of its strength unused. Always allowed once it has some."""

    notation: ClassVar[str] = "stop"
    words: ClassVar[str] = "Leave the rest of the strength unused."
    closes: ClassVar[bool] = True

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        if state.frame.left:
            yield cls()

    def check(self, state: LewisClarkState, seat: int) -> None:
        if not state.frame.left:
            raise Refused("no-strength-yet")

    def wastes(self, state: LewisClarkState, seat: int) -> str:
        """The whole action of a card or a place."""
        unused = not state.frame.begun and usable(state, seat)
        return "You could use this action, and have not used it yet." if unused else ""

    def play(self, turn: Turn, seat: int) -> None:
        frames.end(turn, seat)
        frames.close(turn, seat)


# --- recruit, camp, end ---------------------------------------------------------------------------------------------


class Recruit(Command, frozen=True, tag="recruit"):
    """Recruit a character from the journal into your hand; a discard saves equipment equal to its strength."""

    notation: ClassVar[str] = "recruit {card} [discard {discard}]"
    words: ClassVar[str] = "Recruit {card}[, discarding {discard}]."
    card: Card
    discard: OwnCard | None = None

    @classmethod
    def candidates(cls, state: LewisClarkState, seat: int) -> Iterator[Self]:
        """No discard saves fur, so cards that cost too much fur are left out."""
        have = state.players[seat].goods.count("fur")
        for card in state.journal:
            if fur_cost(state, seat, card) <= have:
                yield from (cls(card, discard) for discard in (None, *state.players[seat].hand))

    def check(self, state: LewisClarkState, seat: int) -> None:
        check_in_journal(state, self.card)
        if self.discard is not None:
            check_in_hand(state, seat, self.discard)
        goods, (fur, equipment) = state.players[seat].goods, self._cost(state, seat)
        if goods.count("fur") < fur or goods.count("equipment") < equipment:
            have = counted(("fur",) * goods.count("fur") + ("equipment",) * goods.count("equipment"))
            raise Refused("cannot-recruit", card=self.card, fur=fur, equipment=equipment, have=have)

    def costs(self, state: LewisClarkState, seat: int) -> str:
        fur, equipment = self._cost(state, seat)
        return " and ".join(f"{n} {good}" for n, good in ((fur, "fur"), (equipment, "equipment")) if n)

    def _cost(self, state: LewisClarkState, seat: int) -> tuple[int, int]:
        """Return fur by the place in the journal, and equipment by strength less the strength of the discard."""
        saved = CARDS[self.discard].strength if self.discard else 0
        return fur_cost(state, seat, self.card), max(CARDS[self.card].strength - saved, 0)

    def play(self, turn: Turn, seat: int) -> None:
        fur, equipment = self._cost(turn.state, seat)
        paid = counted(("fur",) * fur + ("equipment",) * equipment)
        turn.emit(Recruited(seat, self.card))
        if paid:
            turn.emit(Paid(seat, paid))
        if self.discard:
            turn.emit(CardDiscarded(seat, self.discard))
        turn.emit(CardMet(seat, self.card))
        refill(turn)


def can_recruit(state: LewisClarkState, seat: int) -> bool:
    """Return True if any card in the journal can be paid for, with the strongest card in hand as a discard."""
    player = state.players[seat]
    fur = player.goods.count("fur") + fur_saved(player.face_up)
    equipment = player.goods.count("equipment") + max((CARDS[card].strength for card in player.hand), default=0)
    offers = zip(JOURNAL_FUR, state.journal, strict=False)
    return any(price <= fur and CARDS[card].strength <= equipment for price, card in offers)


def fur_cost(state: LewisClarkState, seat: int, card: str) -> int:
    """Return the price of a card in the journal in fur."""
    return max(JOURNAL_FUR[state.journal.index(card)] - fur_saved(state.players[seat].face_up), 0)


def fur_saved(face_up: Iterable[str]) -> int:
    """Return how much fur a card face up saves on a recruit."""
    return sum(n for _, n in cheaper(face_up))


def cheaper(face_up: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return the card face up that saves fur, if there is one, and how much."""
    found = helper(face_up, Cheaper)
    return ((found[0], found[1].fur),) if found else ()


class Camp(Command, frozen=True, tag="camp"):
    """Take all your cards back. Your scout falls back by the delay of the camp; then your camp moves up to it."""

    notation: ClassVar[str] = "camp"
    words: ClassVar[str] = "Make camp: take all cards back. Cards in hand and loaded boats delay the scout."

    def play(self, turn: Turn, seat: int) -> None:
        camping.camp(turn, seat)


class End(Command, frozen=True, tag="end"):
    """End the turn once its action is done."""

    notation: ClassVar[str] = "end"
    words: ClassVar[str] = "End the turn."
    closes: ClassVar[bool] = True
    spelling: ClassVar[Spelling] = Spelling(also=("end turn", "turn end", "done"))

    def check(self, state: LewisClarkState, seat: int) -> None:
        """A seat that can take no action, even after a camp, may end the turn without one."""
        if not state.acted and can_act(state, seat):
            raise Refused("action-owed")
        if not state.acted and not state.camped:
            raise Refused("camp-first")

    def play(self, turn: Turn, seat: int) -> None:
        end_turn(turn, seat)


class Concede(Command, frozen=True, tag="concede"):
    """Give up the race against Mackenzie. A single player is always to move, so the clock has no other default."""

    notation: ClassVar[str] = "concede"
    words: ClassVar[str] = "Give up the race against Mackenzie."
    closes: ClassVar[bool] = True

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Conceded(seat))
