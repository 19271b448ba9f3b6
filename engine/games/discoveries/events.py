"""What happens, each with its effect. An event carries its results: `apply` reads its fields and the state only."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.discoveries.changes import drawn, lifted, played, settled, to_bank, with_action, without, without_die
from engine.games.discoveries.dice import colour_of, die_of, face_of
from engine.games.discoveries.meta import DiscoveriesOptions
from engine.games.discoveries.state import Action, DiscoveriesState, Owed, Player
from engine.kit import Supply

# --- setup ----------------------------------------------------------------------------------------------------------


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "The Corps of Discovery makes ready."
    rules: int
    seats: int
    options: DiscoveriesOptions

    def apply(self, state: None) -> DiscoveriesState:
        edition = self.options.edition
        return DiscoveriesState(
            rules=self.rules,
            seats=self.seats,
            edition=edition,
            players=(Player(),) * self.seats,
            stock=0,
            deck=tuple(card.number for card in edition.cards),
        )


class CampLaidOut(Event, frozen=True, tag="CampLaidOut"):
    words: ClassVar[str] = (
        "Cards out of the game: {removed}. Tribes in the Camp: {encounters}; territories: {territories}; "
        "the open card of the deck is {top}; {stock} grey dice lie beside."
    )
    removed: tuple[int, ...]
    encounters: tuple[int, ...]
    territories: tuple[int, ...]
    top: int
    stock: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        used = {*self.removed, *self.encounters, *self.territories, self.top}
        return replace(
            state,
            removed=self.removed,
            encounters=self.encounters,
            territories=self.territories,
            top=self.top,
            stock=self.stock,
            deck=tuple(card for card in state.deck if card not in used),
        )


class CardChosen(Event, frozen=True, tag="CardChosen"):
    words: ClassVar[str] = "{seat} means to explore card {card}."
    seat: int
    card: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """At the start and after exploring: the card goes into the Exploration zone."""
        owes = tuple(word for word in state.doing.owes if word != "next")
        taken = replace(state, territories=without(state.territories, self.card), doing=replace(state.doing, owes=owes))
        return taken.with_player(self.seat, exploring=self.card)


class ChoicePassed(Event, frozen=True, tag="ChoicePassed"):
    words: ClassVar[str] = "{next_seat} chooses a card next."
    next_seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, seat=self.next_seat)


class SetOut(Event, frozen=True, tag="SetOut"):
    words: ClassVar[str] = "All cards are chosen, the dice are thrown; {seat} begins."
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, choosing=False, seat=self.seat, turns=1)


# --- dice -----------------------------------------------------------------------------------------------------------


class DiceThrown(Event, frozen=True, tag="DiceThrown"):
    words: ClassVar[str] = "{seat} threw {dice}."
    seat: int
    dice: tuple[str, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """They lie in the reserve now, and come no more."""
        thrown = state.with_player(self.seat, reserve=state.players[self.seat].reserve.add(self.dice))
        return thrown.with_doing(coming=Supply())


class DieShifted(Event, frozen=True, tag="DieShifted"):
    words: ClassVar[str] = "Helped by the Sioux, {seat} used {die} as {face}."
    seat: int
    die: str
    face: str

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        colour, own = colour_of(self.die), face_of(self.die)
        reserve = state.players[self.seat].reserve.take([self.die]).add([die_of(colour, self.face)])
        shifts = tuple(sorted((*state.doing.shifts, (own, self.face))))
        held = die_of(colour, self.face)
        return state.with_player(self.seat, reserve=reserve).with_doing(shifts=shifts, held=held)


class DieLaid(Event, frozen=True, tag="DieLaid"):
    words: ClassVar[str] = "{seat} laid {die} on the action {space}."
    seat: int
    space: str
    die: str
    slot: int  # which of the prerequisite spaces, from 0
    slots: int  # how many there are
    due: int = 0  # dice that must follow it, to a bank

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        player = state.players[self.seat]
        action = player.action(self.space) or Action(space=self.space, dice=("",) * self.slots)
        dice = (*action.dice[: self.slot], colour_of(self.die), *action.dice[self.slot + 1 :])
        actions = with_action(player.actions, replace(action, dice=dice))
        laid = state.with_player(self.seat, actions=actions, reserve=player.reserve.take([self.die]))
        return replace(laid, doing=played(laid.doing, self.space, self.die, self.due))


class DieSpent(Event, frozen=True, tag="DieSpent"):
    words: ClassVar[str] = "{seat} sent {die} to the {bank} bank for the action {space}."
    seat: int
    space: str
    die: str
    bank: str
    due: int = 0  # dice that must follow it
    owes: tuple[str, ...] = ()  # what the action brings, to be done at once
    left: int = 0  # dice that it may turn

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        reserve = state.players[self.seat].reserve.take([self.die])
        doing = played(state.doing, self.space, self.die, self.due)
        if self.owes:
            doing = replace(doing, owes=self.owes, left=self.left, face="", done=(*doing.done, self.space))
        spent = replace(state.with_player(self.seat, reserve=reserve), doing=doing)
        return to_bank(spent, self.bank, colour_of(self.die))


class DieTurned(Event, frozen=True, tag="DieTurned"):
    words: ClassVar[str] = "{seat} turned {die} to {face}."
    seat: int
    die: str
    face: str

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """It waits beside the reserve until the turn is over."""
        doing = state.doing
        turned = doing.turned.add([die_of(colour_of(self.die), self.face)])
        reserve = state.players[self.seat].reserve.take([self.die])
        rest = state.with_player(self.seat, reserve=reserve)
        return rest.with_doing(turned=turned, left=doing.left - 1, face=self.face, owes=())


# --- tribes ---------------------------------------------------------------------------------------------------------


class TribeWon(Event, frozen=True, tag="TribeWon"):
    words: ClassVar[str] = "{seat} won the tribe card {card}: {tribe}."
    seat: int
    card: int
    tribe: str
    owes: tuple[str, ...] = ()

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        tribes = (*state.players[self.seat].tribes, self.card)
        left = replace(state, encounters=without(state.encounters, self.card))
        return left.with_player(self.seat, tribes=tribes).with_doing(owes=self.owes)


class GreyTaken(Event, frozen=True, tag="GreyTaken"):
    words: ClassVar[str] = "{seat} took a grey die from the stock."
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, stock=state.stock - 1).with_doing(coming=state.doing.coming.add(["grey"]))


class GreyMissed(Event, frozen=True, tag="GreyMissed"):
    words: ClassVar[str] = "No grey die is left for {seat}."
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return state


class DieOwed(Event, frozen=True, tag="DieOwed"):
    words: ClassVar[str] = "{giver_seat} must give {seat} a grey die."
    seat: int
    giver_seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """It counts as the taker's at once; which one it is makes no difference to him, since he throws it."""
        owed = (*state.owed, Owed(giver=self.giver_seat, taker=self.seat))
        owes = tuple(word for word in state.doing.owes if word != "ask")
        return replace(state, owed=owed).with_doing(coming=state.doing.coming.add(["grey"]), owes=owes)


class DieGiven(Event, frozen=True, tag="DieGiven"):
    words: ClassVar[str] = "{seat} gave {taker_seat} the grey die at {place}."
    seat: int
    taker_seat: int
    place: str  # a face: from the reserve; or the space of an action

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        at = state.owed.index(Owed(giver=self.seat, taker=self.taker_seat))
        given = replace(state, owed=state.owed[:at] + state.owed[at + 1 :])
        return given.with_player(self.seat, **lifted(given.players[self.seat], "grey", self.place))


class CardReserved(Event, frozen=True, tag="CardReserved"):
    words: ClassVar[str] = "{seat} reserved card {card} with the help of the Minnetaree."
    seat: int
    card: int
    tribe: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        reserved = (*state.players[self.seat].reserved, (self.tribe, self.card))
        owes = tuple(word for word in state.doing.owes if word != "reserve")
        taken = replace(state, territories=without(state.territories, self.card))
        return taken.with_player(self.seat, reserved=reserved).with_doing(owes=owes)


# --- exploring ------------------------------------------------------------------------------------------------------


class RouteChanged(Event, frozen=True, tag="RouteChanged"):
    words: ClassVar[str] = "{seat} put card {back} back and means to explore card {card} instead."
    seat: int
    card: int
    back: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        territories = tuple(self.back if card == self.card else card for card in state.territories)
        swapped = replace(state, territories=territories).with_player(self.seat, exploring=self.card)
        return swapped.with_doing(owes=())


class Written(Event, frozen=True, tag="Written"):
    words: ClassVar[str] = "{seat} laid {die} on the action {space}, to write down what was found."
    seat: int
    space: str
    die: str

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        player = state.players[self.seat]
        action = player.action(self.space) or Action(space=self.space, dice=())
        actions = with_action(player.actions, replace(action, write=colour_of(self.die)))
        written = state.with_player(self.seat, actions=actions, reserve=player.reserve.take([self.die]))
        doing = played(written.doing, self.space, self.die, 0)
        return replace(written, doing=replace(doing, owes=("cross",)))


class RoadTravelled(Event, frozen=True, tag="RoadTravelled"):
    words: ClassVar[str] = "{seat} travelled {legs}."
    seat: int
    legs: tuple[str, ...]  # from the bottom up: `MM by 9`, `RRRR by 3 with 34`

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """It tells how the cards are crossed that the next events bring into the journal."""
        return state


class CardExplored(Event, frozen=True, tag="CardExplored"):
    words: ClassVar[str] = "{seat} explored card {card} along {route}."
    seat: int
    card: int
    route: str

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """From the Exploration zone, from a Minnetaree, or from the Territories into the journal."""
        player = state.players[self.seat]
        doing = replace(state.doing, crossed=(*state.doing.crossed, self.card), owes=())
        left = replace(state, territories=without(state.territories, self.card), doing=doing)
        return left.with_player(
            self.seat,
            journal=(*player.journal, self.card),
            exploring=0 if player.exploring == self.card else player.exploring,
            reserved=tuple(pair for pair in player.reserved if pair[1] != self.card),
        )


class ActionsCleared(Event, frozen=True, tag="ActionsCleared"):
    words: ClassVar[str] = "{seat} takes the dice back from the actions {spaces}."
    seat: int
    spaces: tuple[str, ...]
    owes: tuple[str, ...] = ()

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        player = state.players[self.seat]
        back = [c for action in player.actions if action.space in self.spaces for c in action.colours]
        actions = tuple(action for action in player.actions if action.space not in self.spaces)
        doing = state.doing
        done = (*doing.done, *self.spaces)
        rest = state.with_player(self.seat, actions=actions)
        return rest.with_doing(coming=doing.coming.add(back), done=done, owes=self.owes)


class SeatFinished(Event, frozen=True, tag="SeatFinished"):
    words: ClassVar[str] = "No card is left to explore for {seat}: the others have one more turn each."
    seat: int
    last: tuple[int, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, last=self.last)


# --- rest and the end of a turn -------------------------------------------------------------------------------------


class BankTaken(Event, frozen=True, tag="BankTaken"):
    words: ClassVar[str] = "{seat} rested and took all dice from the {bank} bank: {dice}."
    seat: int
    bank: str
    dice: tuple[str, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        taken = state.with_doing(coming=state.doing.coming.add(self.dice))
        return replace(taken, right=Supply()) if self.bank == "right" else replace(taken, left=Supply())


class NothingTaken(Event, frozen=True, tag="NothingTaken"):
    words: ClassVar[str] = "{seat} rested and took no dice."
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return state


class DiceRecalled(Event, frozen=True, tag="DiceRecalled"):
    words: ClassVar[str] = "{seat} rested and took back {colour} dice from: {places}."
    seat: int
    colour: str
    places: tuple[str, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        for place in self.places:
            state = without_die(state, self.colour, place)
        return state.with_doing(coming=state.doing.coming.add([self.colour] * len(self.places)))


class TribesArrived(Event, frozen=True, tag="TribesArrived"):
    words: ClassVar[str] = "New tribe cards in the Camp: {cards}."
    cards: tuple[int, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(drawn(state, self.cards), encounters=(*state.encounters, *self.cards))


class TerritoriesOpened(Event, frozen=True, tag="TerritoriesOpened"):
    words: ClassVar[str] = "New territories: {cards}."
    cards: tuple[int, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(drawn(state, self.cards), territories=(*state.territories, *self.cards))


class ZoneFilled(Event, frozen=True, tag="ZoneFilled"):
    words: ClassVar[str] = "The Territories are empty, so {seat} gets the open card of the deck, {card}."
    seat: int
    card: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return drawn(state, (self.card,)).with_player(self.seat, exploring=self.card)


class CardOpened(Event, frozen=True, tag="CardOpened"):
    words: ClassVar[str] = "On the deck card {card} lies open now."
    card: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(drawn(state, (self.card,)), top=self.card)


class DeckUsedUp(Event, frozen=True, tag="DeckUsedUp"):
    words: ClassVar[str] = "The deck is used up."

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, top=0)


class TurnEnded(Event, frozen=True, tag="TurnEnded"):
    words: ClassVar[str] = "{next_seat} is next."
    seat: int
    next_seat: int
    last: tuple[int, ...] | None = None

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        rested = settled(state, self.seat)
        return replace(rested, seat=self.next_seat, turns=state.turns + 1, last=self.last)


class ExtraTurn(Event, frozen=True, tag="ExtraTurn"):
    words: ClassVar[str] = "{seat} explored two cards in a turn and has another turn."
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(settled(state, self.seat), turns=state.turns + 1)


class Scored(Event, frozen=True, tag="Scored"):
    words: ClassVar[str] = "{seat} scored {cards} points on cards, {species} for species, {tribes} for {tipis} tipis."
    seat: int
    cards: int
    species: int
    tribes: int
    tipis: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return state


class GameEnded(Event, frozen=True, tag="GameEnded"):
    words: ClassVar[str] = "The game is over."
    reason: str

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(settled(state, state.seat), over=self.reason)
