"""The commands of a turn: lay the tile, act, end the turn. Each kind with its candidates, its rule and its play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Self

from msgspec import Meta as Bounds

from engine.errors import Refused
from engine.game import Command, Spelling, Turn
from engine.games.tikal import components as box
from engine.games.tikal import roads
from engine.games.tikal.events import (
    CampPitched,
    Entered,
    GuardPosted,
    LevelUncovered,
    TilePlaced,
    TreasureFound,
    TreasureSwapped,
    Walked,
)
from engine.games.tikal.hexes import Stones, turned
from engine.games.tikal.scoring import strongest
from engine.games.tikal.state import Piece, Site, TikalState
from engine.games.tikal.turns import end_turn
from engine.kit import OWN, count, on_table

Cell = Annotated[
    str, Bounds(pattern="^[a-h][1-5]$", max_length=2, description="a cell from a1 to h5"), on_table("cell")
]
Rotation = Literal["r0", "r1", "r2", "r3", "r4", "r5"]
ROTATIONS: tuple[Rotation, ...] = ("r0", "r1", "r2", "r3", "r4", "r5")


def piece_of(leader: bool) -> Piece:
    return "leader" if leader else "explorer"


def check_points(state: TikalState, need: int) -> None:
    if need > state.points:
        raise Refused("too-few-action-points", need=need, have=state.points)


def check_piece(state: TikalState, seat: int, cell: str, piece: Piece | None = None) -> None:
    """Refuse unless the seat has this piece, or any piece if None, on the cell."""
    site = state.site(cell)
    if site is None or not _stands(site, seat, piece):
        others = tuple(at for at, laid in state.tiles() if _stands(laid, seat, piece))
        raise Refused("no-such-piece-there", cell=cell, piece=piece or "piece", expected=others)


def _stands(site: Site, seat: int, piece: Piece | None) -> bool:
    if piece is None:
        return site.pieces(seat) > 0
    return seat in site.leaders if piece == "leader" else site.explorers[seat] > 0


def with_pieces(state: TikalState, seat: int, kind: str) -> Iterator[str]:
    """Yield the cells with a tile of this kind on which the seat has a piece."""
    return (cell for cell, site in state.tiles() if site.kind == kind and site.pieces(seat))


# --- the tile -------------------------------------------------------------------------------------------------------


class Place(Command, frozen=True, tag="place"):
    """Lay the tile on a free cell in one of six rotations. A turn begins with it."""

    notation: ClassVar[str] = "place {cell} {rotation}"
    words: ClassVar[str] = "Lay the tile on {cell} in rotation {rotation}."
    cell: Cell
    rotation: Rotation

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        fits = roads.placements(state.land, box.TILE[state.tile].stones)
        return (cls(cell, ROTATIONS[turn]) for cell, turn in fits)

    def check(self, state: TikalState, seat: int) -> None:
        stones, sixths = box.TILE[state.tile].stones, self.sixths
        fits = roads.placements(state.land, stones)
        if (self.cell, sixths) in fits:
            return
        if state.site(self.cell) is not None:
            raise Refused("cell-is-taken", cell=self.cell, expected=_cells_of(fits))
        same = _first_alike(stones, sixths)
        if same != sixths:
            raise Refused("same-rotation", found=self.rotation, expected=ROTATIONS[same])
        there = tuple(ROTATIONS[turn] for cell, turn in fits if cell == self.cell)
        if there:
            raise Refused("does-not-join", cell=self.cell, found=self.rotation, expected=there)
        raise Refused("fits-nowhere-there", cell=self.cell, expected=_cells_of(fits))

    def meant(self, state: TikalState, seat: int) -> Place:
        return Place(self.cell, ROTATIONS[_first_alike(box.TILE[state.tile].stones, self.sixths)])

    def play(self, turn: Turn, seat: int) -> None:
        tile = box.TILE[turn.state.tile]
        site, stones = Site.of(tile, ()), turned(tile.stones, self.sixths)
        turn.emit(TilePlaced(seat, tile.name, self.cell, self.rotation, tile.kind, stones, site.value, site.treasures))

    @property
    def sixths(self) -> int:
        """How far the tile is turned clockwise, in sixths of a whole turn."""
        return int(self.rotation[1])


def _first_alike(stones: Stones, sixths: int) -> int:
    """Return the smallest rotation in which the tile looks the same."""
    return next(other for other in range(6) if turned(stones, other) == turned(stones, sixths))


def _cells_of(fits: tuple[tuple[str, int], ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell for cell, _ in fits))


# --- pieces ---------------------------------------------------------------------------------------------------------


class Enter(Command, frozen=True, tag="enter"):
    """Bring a piece from beside the board to the base camp or to one of your camps, for 1 action point."""

    notation: ClassVar[str] = "enter {cell} [leader]"
    words: ClassVar[str] = "Bring[leader: the leader][not leader: an explorer] to the camp on {cell}."
    spelling: ClassVar[Spelling] = Spelling(times=box.ACTION_POINTS)
    cell: Cell
    leader: bool = False

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        return (cls(cell, leader) for leader in (False, True) for cell in state.camps(seat))

    def check(self, state: TikalState, seat: int) -> None:
        check_points(state, box.ENTER)
        player = state.players[seat]
        if not (player.leader if self.leader else player.explorers):
            raise Refused("none-left", piece=piece_of(self.leader))
        if self.cell not in state.camps(seat):
            raise Refused("no-camp-there", cell=self.cell, expected=state.camps(seat))

    def costs(self, state: TikalState, seat: int) -> str:
        return count(box.ENTER, "action point")

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Entered(seat, piece_of(self.leader), self.cell, box.ENTER))


class Walk(Command, frozen=True, tag="walk"):
    """Move a piece to another tile along the cheapest route.

    Nothing happens on the way, so a walk names only its ends.
    """

    notation: ClassVar[str] = "walk {start} {goal} [leader]"
    words: ClassVar[str] = "Move[leader: the leader][not leader: an explorer] from {start} to {goal}."
    spelling: ClassVar[Spelling] = Spelling(times=box.ACTION_POINTS)
    start: Cell
    goal: Cell
    leader: bool = False

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        tents = state.tents(seat)
        for start, site in state.tiles():
            if site.pieces(seat):
                goals = roads.walks(state.land, tents, start, state.points)
                leaders = (False,) * bool(site.explorers[seat]) + (True,) * (seat in site.leaders)
                yield from (cls(start, goal, leader) for leader in leaders for goal in goals)

    def check(self, state: TikalState, seat: int) -> None:
        check_piece(state, seat, self.start, piece_of(self.leader))
        if self.start == self.goal:
            raise Refused("is-there-already", cell=self.goal)
        cost = self._cost(state, seat)
        if cost >= roads.NO_WAY:
            goals = roads.walks(state.land, state.tents(seat), self.start, state.points)
            raise Refused("no-way", start=self.start, goal=self.goal, have=state.points, expected=tuple(goals))
        check_points(state, cost)

    def costs(self, state: TikalState, seat: int) -> str:
        return count(self._cost(state, seat), "action point")

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Walked(seat, piece_of(self.leader), self.start, self.goal, self._cost(turn.state, seat)))

    def _cost(self, state: TikalState, seat: int) -> int:
        return roads.cost(state.land, state.tents(seat), self.start, self.goal)


# --- temples and treasures ------------------------------------------------------------------------------------------


def check_work(state: TikalState, seat: int, cell: str, most: int) -> None:
    """Refuse the k-th level or treasure on a tile in a turn without k pieces of its own there, or beyond `most`."""
    done, site = state.worked.count(cell), state.site(cell)
    if done >= most:
        raise Refused("enough-for-this-turn", cell=cell, most=most)
    have = site.pieces(seat) if site is not None else 0
    if have <= done:
        raise Refused("too-few-pieces-there", cell=cell, need=done + 1, have=have)


def temple_at(state: TikalState, cell: str) -> Site:
    """Return the temple on the cell, refusing if there is none or if it has a guard."""
    site = state.site(cell)
    if site is None or site.kind != "temple":
        temples = tuple(at for at, laid in state.tiles() if laid.kind == "temple")
        raise Refused("no-temple-there", cell=cell, expected=temples)
    if site.guard is not None:
        raise Refused("temple-is-guarded", cell=cell)
    return site


class Level(Command, frozen=True, tag="level"):
    """Uncover the next level of a temple, for 2 action points."""

    notation: ClassVar[str] = "level {cell}"
    words: ClassVar[str] = "Uncover the next level of the temple on {cell}."
    spelling: ClassVar[Spelling] = Spelling(times=box.LEVELS_A_TURN)
    cell: Cell

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        return (cls(cell) for cell in with_pieces(state, seat, "temple"))

    def check(self, state: TikalState, seat: int) -> None:
        check_points(state, box.LEVEL)
        level = temple_at(state, self.cell).value + 1
        if not dict(zip(range(2, 11), state.levels, strict=True)).get(level):
            raise Refused("no-such-level-left", cell=self.cell, level=level)
        check_work(state, seat, self.cell, box.LEVELS_A_TURN)

    def costs(self, state: TikalState, seat: int) -> str:
        return count(box.LEVEL, "action point")

    def play(self, turn: Turn, seat: int) -> None:
        level = turn.state.laid(self.cell).value + 1
        turn.emit(LevelUncovered(seat, self.cell, level, box.LEVEL))


class Guard(Command, frozen=True, tag="guard"):
    """Post a guard on a temple that you hold, for 5 action points. Your other pieces there leave the game."""

    notation: ClassVar[str] = "guard {cell}"
    words: ClassVar[str] = "Post a guard on the temple on {cell}."
    cell: Cell

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        return (cls(cell) for cell in with_pieces(state, seat, "temple"))

    def check(self, state: TikalState, seat: int) -> None:
        check_points(state, box.GUARD)
        site = temple_at(state, self.cell)
        if not state.players[seat].guards:
            raise Refused("no-guard-left", most=box.GUARDS)
        if strongest(state, site) != seat:
            others = max(site.strength(other) for other in state.staying if other != seat)
            raise Refused("not-the-strongest", cell=self.cell, have=site.strength(seat), others=others)

    def costs(self, state: TikalState, seat: int) -> str:
        return count(box.GUARD, "action point")

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(GuardPosted(seat, self.cell, box.GUARD))


class Dig(Command, frozen=True, tag="dig"):
    """Dig up a treasure on ruins, for 3 action points. Chance decides which."""

    notation: ClassVar[str] = "dig {cell}"
    words: ClassVar[str] = "Dig up a treasure on {cell}."
    spelling: ClassVar[Spelling] = Spelling(times=box.DIGS_A_TURN)
    cell: Cell

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        return (cls(cell) for cell in with_pieces(state, seat, "ruins"))

    def check(self, state: TikalState, seat: int) -> None:
        check_points(state, box.DIG)
        site = state.site(self.cell)
        if site is None or not site.treasures:
            ruins = tuple(at for at, laid in state.tiles() if laid.treasures)
            raise Refused("no-treasure-there", cell=self.cell, expected=ruins)
        check_work(state, seat, self.cell, box.DIGS_A_TURN)

    def costs(self, state: TikalState, seat: int) -> str:
        return count(box.DIG, "action point")

    def play(self, turn: Turn, seat: int) -> None:
        """Draw from all treasures that nobody has found: they lie face down, so it may be any of them."""
        turn.emit(TreasureFound(seat, self.cell, turn.chance.pick(turn.state.treasures), box.DIG))


class Swap(Command, frozen=True, tag="swap"):
    """Swap a single treasure for a single one of another player, for 3 action points. Nobody can refuse."""

    notation: ClassVar[str] = "swap {mine} {other_seat} {theirs}"
    words: ClassVar[str] = "Give {other_seat} the {mine} and take the {theirs}."
    mine: Annotated[box.Treasure, on_table("treasure", OWN)]
    other_seat: Annotated[int, Bounds(ge=0, le=3)]
    theirs: Annotated[box.Treasure, on_table("treasure", "other_seat")]

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        for mine in singles(state, seat):
            for other in range(state.seats):
                yield from (cls(mine, other, theirs) for theirs in singles(state, other) if theirs != mine)

    def check(self, state: TikalState, seat: int) -> None:
        check_points(state, box.SWAP)
        if self.other_seat == seat or self.other_seat >= state.seats:
            others = tuple(other for other in range(state.seats) if other != seat and singles(state, other))
            raise Refused("nobody-to-swap-with", other_seat=self.other_seat, possible_seats=others)
        if self.mine == self.theirs:
            raise Refused("same-treasure", treasure=self.mine)
        for owner, treasure in ((seat, self.mine), (self.other_seat, self.theirs)):
            if treasure not in singles(state, owner):
                raise Refused("not-a-single", seat=owner, treasure=treasure, expected=singles(state, owner))

    def costs(self, state: TikalState, seat: int) -> str:
        return count(box.SWAP, "action point")

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(TreasureSwapped(seat, self.mine, self.other_seat, self.theirs, box.SWAP))


def singles(state: TikalState, seat: int) -> tuple[box.Treasure, ...]:
    """Return the treasures of which the seat has exactly one; pairs and triples stay together."""
    held = state.players[seat].treasures
    return tuple(treasure for treasure in box.TREASURES if held.count(treasure) == 1)


class Camp(Command, frozen=True, tag="camp"):
    """Pitch a camp on a clearing or on ruins without treasures, for 5 action points."""

    notation: ClassVar[str] = "camp {cell}"
    words: ClassVar[str] = "Pitch a camp on {cell}."
    cell: Cell

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        return (cls(cell) for kind in ("clearing", "ruins") for cell in with_pieces(state, seat, kind))

    def check(self, state: TikalState, seat: int) -> None:
        check_points(state, box.PITCH)
        check_piece(state, seat, self.cell)
        site = state.laid(self.cell)
        if site.kind not in ("clearing", "ruins") or site.treasures:
            raise Refused("no-ground-for-a-camp", cell=self.cell)
        if site.tent is not None:
            raise Refused("camp-is-there", cell=self.cell)
        if not state.players[seat].tents:
            raise Refused("no-tent-left", most=box.TENTS)

    def costs(self, state: TikalState, seat: int) -> str:
        return count(box.PITCH, "action point")

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CampPitched(seat, self.cell, box.PITCH))


class Done(Command, frozen=True, tag="done"):
    """End the turn. Action points left over are lost."""

    notation: ClassVar[str] = "done"
    words: ClassVar[str] = "End the turn. Action points left over are lost."
    closes: ClassVar[bool] = True
    spelling: ClassVar[Spelling] = Spelling(also=("end", "end turn", "done turn", "turn done"))

    def wastes(self, state: TikalState, seat: int) -> str:
        """Half of the action points or more: a few are often left on purpose."""
        if 2 * state.points < box.ACTION_POINTS:
            return ""
        return f"{state.points} of {box.ACTION_POINTS} action points are unused and will be lost."

    def play(self, turn: Turn, seat: int) -> None:
        end_turn(turn, seat)
