"""What happens, each with its effect. An event carries its results: `apply` reads its fields and the state only."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import (
    INDIAN,
    NEWCOMERS,
    POW_WOW,
    Frame,
    LewisClarkState,
    Played,
    Player,
    listed,
)
from engine.kit import Supply

# --- the beginning --------------------------------------------------------------------------------------------------


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "The expeditions gather in Saint Louis."
    rules: int
    seats: int
    options: LewisClarkOptions

    def apply(self, state: None) -> LewisClarkState:
        return LewisClarkState(rules=self.rules, seats=self.seats, options=self.options)


class Prepared(Event, frozen=True, tag="Prepared"):
    """What everybody begins with, and what lies beside the board."""

    words: ClassVar[str] = "Everybody has the cards {hand}; the goods {goods}; Indians: {indians}."
    hand: tuple[str, ...]
    goods: tuple[str, ...]
    indians: int
    newcomers: int
    stock: int
    deck: tuple[str, ...]
    boats: tuple[str, ...]
    mackenzie: int | None

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = Player(hand=self.hand, goods=Supply().add(listed(self.goods)), indians=self.indians)
        return replace(
            state,
            players=(player,) * state.seats,
            stock=self.stock,
            village=Supply().add([NEWCOMERS] * self.newcomers),
            deck=Supply().add(self.deck),
            boats=Supply().add(listed(self.boats)),
            mackenzie=self.mackenzie,
        )


class JournalLaid(Event, frozen=True, tag="JournalLaid"):
    words: ClassVar[str] = "The journal of encounters begins with {cards}."
    cards: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, journal=self.cards, deck=state.deck.take(self.cards))


# --- an action begins and ends --------------------------------------------------------------------------------------


class CardPlayed(Event, frozen=True, tag="CardPlayed"):
    words: ClassVar[str] = "{seat} played {card}."
    seat: int
    card: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = state.players[self.seat]
        state = state.with_player(
            self.seat, hand=without(player.hand, self.card), table=(*player.table, Played(card=self.card))
        )
        return replace(state, frames=(Frame(source=self.card, left=0),))


class CardLaidUnder(Event, frozen=True, tag="CardLaidUnder"):
    words: ClassVar[str] = "{seat} laid {card} under it, strength {strength}."
    seat: int
    card: str
    strength: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = state.players[self.seat]
        top = replace(player.table[-1], under=self.card, strength=self.strength)
        state = state.with_player(self.seat, hand=without(player.hand, self.card), table=(*player.table[:-1], top))
        return state.with_frame(left=state.frame.left + self.strength)


class IndiansGiven(Event, frozen=True, tag="IndiansGiven"):
    words: ClassVar[str] = "{seat} put Indians on it: {count}."
    seat: int
    count: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = state.players[self.seat]
        top = replace(player.table[-1], indians=self.count)
        state = state.with_player(self.seat, indians=player.indians - self.count, table=(*player.table[:-1], top))
        return state.with_frame(left=state.frame.left + self.count)


class IndiansPlaced(Event, frozen=True, tag="IndiansPlaced"):
    words: ClassVar[str] = "{seat} sent Indians to {place}: {count}."
    seat: int
    place: str
    count: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        state = state.with_player(self.seat, indians=state.players[self.seat].indians - self.count)
        frame = Frame(source=self.place, left=self.count, begun=True)
        return replace(state, village=state.village.add([self.place] * self.count), frames=(frame,))


class Activated(Event, frozen=True, tag="Activated"):
    """One activation begins; `left` are those that remain."""

    source: str
    left: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return state.with_frame(left=self.left, begun=True, discarded=0)


class SpendingLimited(Event, frozen=True, tag="SpendingLimited"):
    """From now on this action pays with what there is now, not with what it gains."""

    bank: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return state.with_frame(bank=Supply().add(listed(self.bank)))


class Copied(Event, frozen=True, tag="Copied"):
    """Another action lies on top of this one; whatever limits spending here limits it there."""

    words: ClassVar[str] = "{seat} used the action of {source}."
    seat: int
    source: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        frame = Frame(source=self.source, left=1, begun=True, bank=state.frame.bank)
        return replace(state, frames=(*state.frames, frame))


class FrameEnded(Event, frozen=True, tag="FrameEnded"):
    """The action on top is over; with the last one, the action of the turn is done."""

    seat: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        frames = state.frames[:-1]
        return replace(state, frames=frames) if frames else replace(state, frames=(), acted=True)


# --- what actions do ------------------------------------------------------------------------------------------------


class Paid(Event, frozen=True, tag="Paid"):
    """Goods go to the stock, Indians to the pow-wow."""

    words: ClassVar[str] = "{seat} paid {what}."
    seat: int
    what: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        names, player = listed(self.what), state.players[self.seat]
        indians = names.count(INDIAN)
        goods = player.goods.take(name for name in names if name != INDIAN)
        state = state.with_player(self.seat, goods=goods, indians=player.indians - indians)
        frames = tuple(
            frame if frame.bank is None else replace(frame, bank=frame.bank.take(names)) for frame in state.frames
        )
        return replace(state, frames=frames, village=state.village.add([POW_WOW] * indians))


class Gained(Event, frozen=True, tag="Gained"):
    """Goods, or Indians out of the stock."""

    words: ClassVar[str] = "{seat} took {what}."
    seat: int
    what: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        names, player = listed(self.what), state.players[self.seat]
        indians = names.count(INDIAN)
        goods = player.goods.add(name for name in names if name != INDIAN)
        state = state.with_player(self.seat, goods=goods, indians=player.indians + indians)
        return replace(state, stock=state.stock - indians)


class ScoutMoved(Event, frozen=True, tag="ScoutMoved"):
    words: ClassVar[str] = "{seat} moved the scout to space {space}."
    seat: int
    space: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state.with_player(self.seat, scout=self.space), moved=True)


class MoveLengthened(Event, frozen=True, tag="MoveLengthened"):
    words: ClassVar[str] = "The move went further by the help of {card}."
    card: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, bonus=(*state.bonus, self.card))


class ScoutWentOn(Event, frozen=True, tag="ScoutWentOn"):
    words: ClassVar[str] = "Another scout stood there, so the scout of {seat} went on to space {space}."
    seat: int
    space: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return state.with_player(self.seat, scout=self.space)


class VillageGathered(Event, frozen=True, tag="VillageGathered"):
    words: ClassVar[str] = "All Indians of the village met. {seat} took {count} of them aboard. Newcomers: {newcomers}."
    seat: int
    count: int
    newcomers: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = state.players[self.seat]
        stay = state.village.total - self.count
        village = Supply().add((*[POW_WOW] * stay, *[NEWCOMERS] * self.newcomers))
        state = state.with_player(self.seat, indians=player.indians + self.count)
        return replace(state, village=village, stock=state.stock - self.newcomers)


class BoatTaken(Event, frozen=True, tag="BoatTaken"):
    words: ClassVar[str] = "{seat} took a boat: {tile}."
    seat: int
    tile: str
    holds: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        state = state.with_player(self.seat, tiles=tuple(sorted((*state.players[self.seat].tiles, self.tile))))
        return replace(state, boats=state.boats.take([self.holds]))


class CardDiscarded(Event, frozen=True, tag="CardDiscarded"):
    words: ClassVar[str] = "{seat} discarded {card}."
    seat: int
    card: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        state = state.with_player(self.seat, hand=without(state.players[self.seat].hand, self.card))
        return replace(state, discards=state.discards.add([self.card]))


class FarewellSaid(Event, frozen=True, tag="FarewellSaid"):
    """One of the cards that a farewell may discard."""

    seat: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return state.with_frame(discarded=state.frame.discarded + 1)


# --- the journal ----------------------------------------------------------------------------------------------------


class CardMet(Event, frozen=True, tag="CardMet"):
    """A card of the journal comes to a hand."""

    words: ClassVar[str] = "{card} came from the journal to the hand of {seat}."
    seat: int
    card: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        hand = tuple(sorted((*state.players[self.seat].hand, self.card)))
        return replace(state.with_player(self.seat, hand=hand), journal=without(state.journal, self.card))


class JournalLeft(Event, frozen=True, tag="JournalLeft"):
    words: ClassVar[str] = "The journal lost {cards}."
    cards: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        journal = tuple(card for card in state.journal if card not in self.cards)
        return replace(state, journal=journal, discards=state.discards.add(self.cards))


class DeckRenewed(Event, frozen=True, tag="DeckRenewed"):
    """The discards become the deck, all but the roles: they have other backs."""

    words: ClassVar[str] = "The deck was used up: the discarded characters are the new one."
    cards: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, deck=state.deck.add(self.cards), discards=state.discards.take(self.cards))


class JournalRefilled(Event, frozen=True, tag="JournalRefilled"):
    words: ClassVar[str] = "New in the journal: {cards}."
    cards: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, journal=(*state.journal, *self.cards), deck=state.deck.take(self.cards))


class Recruited(Event, frozen=True, tag="Recruited"):
    words: ClassVar[str] = "{seat} recruited {card}."
    seat: int
    card: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, recruited=True)


# --- camp and end ---------------------------------------------------------------------------------------------------


class Camped(Event, frozen=True, tag="Camped"):
    words: ClassVar[str] = "{seat} camped, time {time}: the scout is on space {scout}, the camp on {camp}."
    seat: int
    time: int
    scout: int
    camp: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = state.players[self.seat]
        changes = {
            "hand": tuple(sorted(player.cards)),
            "table": (),
            "indians": player.indians + player.on_cards,
            "scout": self.scout,
            "camp": self.camp,
        }
        return replace(state.with_player(self.seat, **changes), camped=True)


class BegunAnew(Event, frozen=True, tag="BegunAnew"):
    """The author's erratum: on the lowest space only the roles stay; goods and Indians go, recruits are discarded."""

    words: ClassVar[str] = "On the lowest space {seat} began anew, with nothing but {hand}."
    seat: int
    hand: tuple[str, ...]
    left: tuple[str, ...]  # recruits that are discarded
    back: tuple[str, ...]  # roles that come back from the discards

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        indians = state.players[self.seat].indians
        state = state.with_player(self.seat, hand=self.hand, goods=Supply(), indians=0)
        discards = state.discards.add(self.left).take(self.back)
        return replace(state, discards=discards, village=state.village.add([POW_WOW] * indians))


class TurnEnded(Event, frozen=True, tag="TurnEnded"):
    words: ClassVar[str] = "{next_seat} is next."
    next_seat: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(
            state,
            seat=self.next_seat,
            turns=state.turns + 1,
            acted=False,
            camped=False,
            recruited=False,
            moved=False,
            bonus=(),
        )


class MackenzieMoved(Event, frozen=True, tag="MackenzieMoved"):
    words: ClassVar[str] = "Mackenzie's scout is on space {space}."
    space: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, mackenzie=self.space)


class PacificReached(Event, frozen=True, tag="PacificReached"):
    words: ClassVar[str] = "{seat} camped at Fort Clatsop and has reached the Pacific first!"
    seat: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, winner=self.seat, over="pacific")


class MackenzieWon(Event, frozen=True, tag="MackenzieWon"):
    words: ClassVar[str] = "Mackenzie's scout is at Fort Clatsop: he has reached the Pacific first."

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, over="mackenzie")


class Conceded(Event, frozen=True, tag="Conceded"):
    words: ClassVar[str] = "{seat} gave up the race: Mackenzie will reach the Pacific first."
    seat: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, over="mackenzie")


class GameStopped(Event, frozen=True, tag="GameStopped"):
    words: ClassVar[str] = "Nobody has reached the Pacific in {turns} turns: the game ends undecided."
    turns: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, over="undecided")


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards but this one."""
    at = cards.index(card)
    return (*cards[:at], *cards[at + 1 :])
