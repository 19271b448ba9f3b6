"""Points for cards, species and tipis, and the ranking."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Outcome, Standing, Turn
from engine.games.discoveries.cards import SPECIES, Discovery
from engine.games.discoveries.events import DieGiven, GameEnded, Scored
from engine.games.discoveries.state import DiscoveriesState
from engine.games.discoveries.tribes import grey_places
from engine.kit import ranked as best_first

SETS = (0, 3, 8, 15, 24)  # points of a set, by its number of different species
RANKS = {2: (12, 6), 3: (12, 6, 0), 4: (12, 8, 4, 0)}  # points by rank in tipis, by number of seats
HEADINGS = ("cards", "species", "tipis")


def finish(turn: Turn) -> None:
    """Score the game. Grey dice still owed change hands first, since the number of dice breaks ties."""
    for owed in turn.state.owed:
        turn.emit(DieGiven(owed.giver, owed.taker, grey_places(turn.state, owed.giver)[0]))
    state: DiscoveriesState = turn.state
    cards, species, tribes = (points for _, points in points_by(state))
    for seat in range(state.seats):
        turn.emit(Scored(seat, cards[seat], species[seat], tribes[seat], tipis(state, seat)))
    turn.emit(GameEnded("complete"))


def journal(state: DiscoveriesState, seat: int) -> tuple[Discovery, ...]:
    return tuple(state.edition.card(card).discovery for card in state.players[seat].journal)


def species_points(found: Sequence[Discovery]) -> int:
    """The points of sets of different species, each as large as possible, which is worth the most."""
    counts = [sum(discovery.species == species for discovery in found) for species in SPECIES]
    return sum(SETS[sum(count > number for count in counts)] for number in range(max(counts)))


def tipis(state: DiscoveriesState, seat: int) -> int:
    """The tipis on tribe cards won and on discoveries in the journal."""
    won = sum(state.edition.card(card).tribe.tipis for card in state.players[seat].tribes)
    return won + sum(discovery.tipis for discovery in journal(state, seat))


def ranked(counts: dict[int, int], ranks: tuple[int, ...]) -> dict[int, int]:
    """Points by seat. Tied seats share the points of the ranks they fill; the next seat takes the rank after."""
    points: dict[int, int] = {}
    for count in sorted(set(counts.values()), reverse=True):
        tied = [seat for seat in counts if counts[seat] == count]
        share = sum(ranks[len(points) : len(points) + len(tied)]) // len(tied)
        points |= dict.fromkeys(tied, share)
    return points


def points_by(state: DiscoveriesState) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Points by heading and seat, as the game stands. Resigned seats are not ranked by tipis."""
    seats = range(state.seats)
    found = [journal(state, seat) for seat in seats]
    cards = tuple(sum(discovery.points for discovery in each) for each in found)
    tribes = ranked({seat: tipis(state, seat) for seat in state.staying}, RANKS[state.seats])
    rows = (cards, tuple(map(species_points, found)), tuple(tribes.get(seat, 0) for seat in seats))
    return tuple(zip(HEADINGS, rows, strict=True))


def outcome(state: DiscoveriesState) -> Outcome | None:
    """The most points, then the most dice in the reserve and on actions."""
    if not state.over:
        return None
    now = standing(state)
    return Outcome(places=now.places, points=now.points, reason=state.over)


def standing(state: DiscoveriesState) -> Standing:
    """The same ranking at any time."""
    rows = points_by(state)
    totals = (sum(row[seat] for _, row in rows) for seat in range(state.seats))
    return Standing(places=best_first({s: (n, state.dice(s)) for s, n in enumerate(totals)}), points=rows)
