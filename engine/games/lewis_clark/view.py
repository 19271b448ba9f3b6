"""What anybody may see: everything but the order of the deck, which nobody knows and no state holds."""

from __future__ import annotations

from engine.game import Value, View
from engine.games.lewis_clark import boats
from engine.games.lewis_clark.camping import camp_time
from engine.games.lewis_clark.components import BADGES
from engine.games.lewis_clark.counts import badges
from engine.games.lewis_clark.meta import CAP
from engine.games.lewis_clark.state import Frame, LewisClarkState, Played
from engine.kit import Supply


class SeenPlayer(Value, frozen=True):
    """`time` is what a camp would take now, `room` how many more goods the boats can hold."""

    hand: tuple[str, ...]
    table: tuple[Played, ...]
    goods: Supply
    indians: int
    tiles: tuple[str, ...]
    scout: int
    camp: int
    time: int
    room: int
    sees: Supply  # badges in sight: the own, both neighbours', alone those of the village
    gone: bool


class LewisClarkView(View, frozen=True):
    """`deck` and `discards` are numbers of cards."""

    winner: int | None
    seat: int
    turns: int
    cap: int
    acted: bool
    camped: bool
    recruited: bool
    moved: bool  # the scout has moved in this action
    bonus: tuple[str, ...]  # cards that have lengthened a move of this action
    face_down_badges: bool  # badges of cards laid face down count
    start_over: bool  # whoever camps on the lowest space begins anew
    frames: tuple[Frame, ...]
    journal: tuple[str, ...]  # from the cheapest place to the dearest
    deck: int
    discards: int
    village: Supply
    stock: int
    boats: Supply
    mackenzie: int | None
    players: tuple[SeenPlayer, ...]


def view(state: LewisClarkState) -> LewisClarkView:
    return LewisClarkView(
        winner=state.winner,
        seat=state.seat,
        turns=state.turns,
        cap=CAP,
        acted=state.acted,
        camped=state.camped,
        recruited=state.recruited,
        moved=state.moved,
        bonus=state.bonus,
        face_down_badges=state.options.face_down_badges,
        start_over=state.options.start_over,
        frames=state.frames,
        journal=state.journal,
        deck=state.deck.total,
        discards=state.discards.total,
        village=state.village,
        stock=state.stock,
        boats=state.boats,
        mackenzie=state.mackenzie,
        players=tuple(_seen(state, seat) for seat in range(state.seats)),
    )


def _seen(state: LewisClarkState, seat: int) -> SeenPlayer:
    player = state.players[seat]
    return SeenPlayer(
        hand=player.hand,
        table=player.table,
        goods=player.goods,
        indians=player.indians,
        tiles=player.tiles,
        scout=player.scout,
        camp=player.camp,
        time=camp_time(state, seat),
        room=boats.room(player.tiles) - player.goods.total,
        sees=Supply.of({badge: badges(state, seat, badge) for badge in BADGES}),
        gone=seat in state.gone,
    )
