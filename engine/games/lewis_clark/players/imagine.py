"""A whole state that fits the view of a seat: covered cards are drawn.

Everybody knows which cards a player has, and the back of each card face down. So a covered card may be any of that
player's cards with this back that is not known to be elsewhere.
"""

from __future__ import annotations

from engine.games.lewis_clark.cards import back
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import LewisClarkState, Played, Player
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayed, SeenPlayer
from engine.players import Rng
from engine.players.unseen import carried, own_end, shuffled


def imagine(view: LewisClarkView, rng: Rng) -> LewisClarkState:
    return LewisClarkState(
        **carried(view),
        options=LewisClarkOptions(
            face_down_badges=view.face_down_badges,
            start_over=view.start_over,
            level=view.level,
            covered="hidden" if view.covered else "open",
        ),
        players=tuple(_player(seen, view.common.rules, rng) for seen in view.players),
        journal=view.journal,
        deck=view.deck,
        discards=view.discards,
        village=view.village,
        stock=view.stock,
        boats=view.boats,
        seat=view.seat,
        frames=view.frames,
        acted=view.acted,
        camped=view.camped,
        recruited=view.recruited,
        moved=view.moved,
        bonus=view.bonus,
        turns=view.turns,
        mackenzie=view.mackenzie,
        winner=view.winner,
        over=own_end(view),
    )


def _player(seen: SeenPlayer, rules: int, rng: Rng) -> Player:
    unknown = shuffled((*seen.down, *seen.either), rng)
    table = tuple(_played(played, unknown, rules) for played in seen.table)
    return Player(
        hand=tuple(sorted((*seen.hand, *unknown))),
        table=table,
        goods=seen.goods,
        indians=seen.indians,
        tiles=seen.tiles,
        scout=seen.scout,
        camp=seen.camp,
    )


def _played(seen: SeenPlayed, unknown: list[str], rules: int) -> Played:
    """Take the card below from the unknown cards; those that are left are in hand."""
    under = seen.under
    if seen.back and not under:
        under = next(card for card in unknown if back(card, rules) == (seen.back, seen.kind))
        unknown.remove(under)
    return Played(card=seen.card, under=under, indians=seen.indians)
