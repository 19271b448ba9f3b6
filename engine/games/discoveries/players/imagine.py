"""The state behind a view. Nothing is hidden, so nothing has to be guessed."""

from __future__ import annotations

from engine.games.discoveries.cards import Edition
from engine.games.discoveries.state import DiscoveriesState, Player
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer
from engine.players import Rng
from engine.players.unseen import carried, own_end


def imagine(view: DiscoveriesView, rng: Rng) -> DiscoveriesState:  # noqa: ARG001 - a contract of all games
    return DiscoveriesState(
        **carried(view),
        edition=Edition(name=view.edition, cards=view.cards),
        players=tuple(map(_player, view.players)),
        stock=view.stock,
        right=view.right,
        left=view.left,
        encounters=view.encounters,
        territories=view.territories,
        deck=view.deck,
        top=view.top,
        removed=view.removed,
        seat=view.seat,
        choosing=view.choosing,
        doing=view.doing,
        owed=view.owed,
        last=view.last,
        turns=view.turns,
        over=own_end(view),
    )


def _player(seen: SeenPlayer) -> Player:
    return Player(
        reserve=seen.reserve,
        actions=seen.actions,
        tribes=seen.tribes,
        reserved=seen.reserved,
        exploring=seen.exploring,
        journal=seen.journal,
    )
