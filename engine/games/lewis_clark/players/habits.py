"""Habits of a player of Lewis & Clark: its cards, its camps and its way."""

from __future__ import annotations

from engine.games.lewis_clark.events.actions import CardCovered, CardLaidUnder, CardPlayed
from engine.games.lewis_clark.events.journal import Recruited
from engine.games.lewis_clark.events.turns import Camped
from engine.games.lewis_clark.state import LewisClarkState
from engine.players import Answered, Figure, own


def habits(story: tuple[Answered, ...], end: LewisClarkState, seat: int) -> dict[str, Figure]:
    played = list(own(story, seat))
    used = {event.card for _, event in played if isinstance(event, CardPlayed | CardLaidUnder | CardCovered)}
    held = {*end.players[seat].cards}
    camps = [(state, event) for state, event in played if isinstance(event, Camped)]
    return {
        "camps": Figure(len(camps), 1),
        "camps no further than the last": Figure(
            sum(event.camp <= state.players[seat].camp for state, event in camps), len(camps)
        ),
        "delay of a camp": Figure(sum(event.time for _, event in camps), len(camps)),
        "cards still in hand at a camp": Figure(sum(len(state.players[seat].hand) for state, _ in camps), len(camps)),
        "cards recruited": Figure(sum(isinstance(event, Recruited) for _, event in played), 1),
        "cards never played, of those held": Figure(len(held - used), len(held)),
        "space of the camp": Figure(end.players[seat].camp, 1),
    }
