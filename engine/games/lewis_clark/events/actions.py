"""Events of actions: how they begin, get strength, are used and end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.lewis_clark import printed
from engine.games.lewis_clark.cards import Kind
from engine.games.lewis_clark.state import (
    INDIAN,
    NEWCOMERS,
    POW_WOW,
    Frame,
    LewisClarkState,
    Played,
    Player,
    listed,
    without,
)
from engine.kit import EMPTY

Printed = Mapping[str, Mapping[Any, str]]


class CardPlayed(Event, frozen=True, tag="CardPlayed"):
    words: ClassVar[str] = "{seat} played {card}."
    printed: ClassVar[Printed] = {"card": printed.NAMES}
    seat: int
    card: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = state.players[self.seat]
        table = (*player.table, Played(card=self.card))
        player = replace(player, hand=without(player.hand, self.card), table=table)
        players = state.players_with(self.seat, player)
        return replace(state, players=players, frames=(Frame(source=self.card, left=0),))


class CardLaidUnder(Event, frozen=True, tag="CardLaidUnder"):
    words: ClassVar[str] = "{seat} laid {card} face down under it for strength {strength}."
    printed: ClassVar[Printed] = {"card": printed.NAMES}
    seat: int
    card: str
    strength: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return _with_under(state, self.seat, self.card, self.strength)


def _with_under(state: LewisClarkState, seat: int, card: str, strength: int) -> LewisClarkState:
    player = state.players[seat]
    top = replace(player.table[-1], under=card)
    player = replace(player, hand=without(player.hand, card), table=(*player.table[:-1], top))
    return _strengthened(state, seat, player, strength)


def _strengthened(state: LewisClarkState, seat: int, player: Player, strength: int) -> LewisClarkState:
    frames = state.frames_with(replace(state.frame, left=state.frame.left + strength))
    return replace(state, players=state.players_with(seat, player), frames=frames)


class CardCovered(Event, frozen=True, tag="CardCovered"):
    """A card laid face down with `covered` set to `hidden`: others see the back.

    `kind` is None before rules version 4: then a back does not show it.
    """

    words: ClassVar[str] = (
        "{seat} laid[kind: a {kind}][not kind: a card] face down under it"
        " (strength {strength}, {badge} badge)[: {card}]."
    )
    printed: ClassVar[Printed] = {"card": printed.NAMES}
    sealed: ClassVar[tuple[str, ...]] = ("card",)
    seat: int
    card: str
    strength: int
    badge: str
    kind: Kind | None = None

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return _with_under(state, self.seat, self.card, self.strength)


class IndiansGiven(Event, frozen=True, tag="IndiansGiven"):
    words: ClassVar[str] = "{seat} put {count:Indian} on it."
    seat: int
    count: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = state.players[self.seat]
        top = replace(player.table[-1], indians=self.count)
        player = replace(player, indians=player.indians - self.count, table=(*player.table[:-1], top))
        return _strengthened(state, self.seat, player, self.count)


class IndiansPlaced(Event, frozen=True, tag="IndiansPlaced"):
    words: ClassVar[str] = "{seat} sent {count:Indian} to {place}."
    printed: ClassVar[Printed] = {"place": printed.NAMES}
    seat: int
    place: str
    count: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = state.players[self.seat]
        players = state.players_with(self.seat, replace(player, indians=player.indians - self.count))
        frame = Frame(source=self.place, left=self.count, begun=True)
        village = state.village.add([self.place] * self.count)
        return replace(state, players=players, village=village, frames=(frame,))


class Activated(Event, frozen=True, tag="Activated"):
    """One activation begins; `left` is how many remain."""

    source: str
    left: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        frame = replace(state.frame, left=self.left, begun=True, discarded=0)
        return replace(state, frames=state.frames_with(frame))


class SpendingLimited(Event, frozen=True, tag="SpendingLimited"):
    """From now on this action pays with what the player has now, not with what it gains."""

    bank: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        frame = replace(state.frame, bank=EMPTY.add(listed(self.bank)))
        return replace(state, frames=state.frames_with(frame))


class Copied(Event, frozen=True, tag="Copied"):
    """A copied action lies on top of this one; a limit on spending in this one applies to it too."""

    words: ClassVar[str] = "{seat} copied the action of {source}."
    printed: ClassVar[Printed] = {"source": printed.NAMES}
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
        if frames:
            return replace(state, frames=frames)
        return replace(state, frames=(), acted=True, moved=False, bonus=())


class Paid(Event, frozen=True, tag="Paid"):
    """Goods go to the stock and Indians to the pow-wow."""

    words: ClassVar[str] = "{seat} paid {what:&}."
    printed: ClassVar[Printed] = {"what": printed.AMOUNTS}
    seat: int
    what: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        names, player = listed(self.what), state.players[self.seat]
        indians = names.count(INDIAN)
        goods = player.goods.take([name for name in names if name != INDIAN])
        players = state.players_with(self.seat, replace(player, goods=goods, indians=player.indians - indians))
        frames = tuple([_charged(frame, names) for frame in state.frames])
        village = state.village.add([POW_WOW] * indians) if indians else state.village
        return replace(state, players=players, frames=frames, village=village)


def _charged(frame: Frame, names: tuple[str, ...]) -> Frame:
    return frame if frame.bank is None else replace(frame, bank=frame.bank.take(names))


class Gained(Event, frozen=True, tag="Gained"):
    """Goods, or Indians, come from the stock."""

    words: ClassVar[str] = "{seat} took {what:&}."
    printed: ClassVar[Printed] = {"what": printed.AMOUNTS}
    seat: int
    what: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        names, player = listed(self.what), state.players[self.seat]
        indians = names.count(INDIAN)
        goods = player.goods.add([name for name in names if name != INDIAN])
        players = state.players_with(self.seat, replace(player, goods=goods, indians=player.indians + indians))
        return replace(state, players=players, stock=state.stock - indians)


class ScoutMoved(Event, frozen=True, tag="ScoutMoved"):
    words: ClassVar[str] = "{seat} moved the scout to space {space}."
    seat: int
    space: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        players = state.players_with(self.seat, replace(state.players[self.seat], scout=self.space))
        return replace(state, players=players, moved=True)


class MoveLengthened(Event, frozen=True, tag="MoveLengthened"):
    words: ClassVar[str] = "{card} made this move longer."
    printed: ClassVar[Printed] = {"card": printed.NAMES}
    card: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, bonus=(*state.bonus, self.card))


class ScoutWentOn(Event, frozen=True, tag="ScoutWentOn"):
    words: ClassVar[str] = "That space was taken, so {seat}'s scout went on to space {space}."
    seat: int
    space: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return state.with_player(self.seat, scout=self.space)


class VillageGathered(Event, frozen=True, tag="VillageGathered"):
    words: ClassVar[str] = (
        "{seat} gathered the village[count: and took {count:Indian} aboard].[newcomers: {newcomers:newcomer} arrived.]"
    )
    seat: int
    count: int
    newcomers: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = state.players[self.seat]
        stay = state.village.total - self.count
        village = EMPTY.add((*[POW_WOW] * stay, *[NEWCOMERS] * self.newcomers))
        state = state.with_player(self.seat, indians=player.indians + self.count)
        return replace(state, village=village, stock=state.stock - self.newcomers)


class BoatTaken(Event, frozen=True, tag="BoatTaken"):
    words: ClassVar[str] = "{seat} took {tile}."
    printed: ClassVar[Printed] = {"tile": printed.BOATS}
    seat: int
    tile: str
    holds: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        state = state.with_player(self.seat, tiles=tuple(sorted((*state.players[self.seat].tiles, self.tile))))
        return replace(state, boats=state.boats.take([self.holds]))


class CardDiscarded(Event, frozen=True, tag="CardDiscarded"):
    words: ClassVar[str] = "{seat} discarded {card}."
    printed: ClassVar[Printed] = {"card": printed.NAMES}
    seat: int
    card: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        state = state.with_player(self.seat, hand=without(state.players[self.seat].hand, self.card))
        return replace(state, discards=state.discards.add([self.card]))


class FarewellSaid(Event, frozen=True, tag="FarewellSaid"):
    """One of the discards that a Farewell allows has been made."""

    seat: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        frame = replace(state.frame, discarded=state.frame.discarded + 1)
        return replace(state, frames=state.frames_with(frame))
