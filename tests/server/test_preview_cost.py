"""The processor time of a preview, in each game, at positions of a whole game."""

from __future__ import annotations

import time

import pytest

from tests.server.harness import Harness, Player

MOST = 0.05  # seconds
EVERY = 7  # moves from one preview to the next
MOVES = 210


@pytest.mark.slow
@pytest.mark.parametrize("key", ["tikal", "discoveries", "lewis_clark", "livingstone"])
def test_a_preview_costs_less_than_50_ms(hall: Harness, key: str):
    """The best of three at each position, so that no pause of the machine counts."""
    people = [hall.player(number) for number in range(3)]
    game = hall.game(key, people)
    costs = []
    for turn in range(MOVES):
        active = hall.client.get(f"/v1/games/{game}").get_json()["active"]
        if not active:
            break
        player = next(one for one in people if one.seat == active[0])
        options = player.legal(game)
        if turn % EVERY == 0:
            costs.append(min(cost(player, game, options[turn // EVERY % len(options)]) for _ in range(3)))
        assert player.move(game, [options[turn % len(options)]]).status_code == 201
    assert max(costs) < MOST, costs


def cost(player: Player, game: str, command: object) -> float:
    began = time.process_time()
    shown = player.post(f"/games/{game}/preview", {"commands": [command]})
    took = time.process_time() - began
    assert shown.status_code == 200, shown.get_data(as_text=True)
    return took
