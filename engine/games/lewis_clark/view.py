"""What anybody may see: everything but the order of the deck, which nobody knows and no state holds."""

from __future__ import annotations

from engine.game import Value, View
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
    gone: bool


class LewisClarkView(View, frozen=True):
    """`over` is the reason of the end, "" while the game goes on; `deck` and `discards` are numbers of cards."""

    over: str
    winner: int | None
    seat: int
    turns: int
    cap: int
    acted: bool
    camped: bool
    recruited: bool
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
    raise NotImplementedError  # comes with the boats
