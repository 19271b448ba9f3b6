"""Two rules versions of one game side by side: old games end under the old one, and `rules diff` shows the effect."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import Refused
from engine.games.lewis_clark import game as lewis_clark
from engine.kit import Step, dump_steps, parse
from engine.players import level
from server.kernel.db.models import Game
from tests.games.lewis_clark.policy import line
from tests.kit.games.pig import Pig, Roll
from tests.server.harness import Harness, Player
from tests.server.test_give_up import run

ROLL = [{"do": "roll"}]


@pytest.fixture
def two_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pig as if a second rules version had been made."""
    monkeypatch.setattr(Pig, "meta", replace(Pig.meta, rules=(1, 2)))


def begun_under(
    version: int, hall: Harness, key: str, players: list[Player], monkeypatch: Any, game: Any, **wish: Any
) -> str:
    """A game that began when this was the current version."""
    with monkeypatch.context() as then:
        then.setattr(type(game), "meta", replace(game.meta, rules=(1, version)))
        return hall.game(key, players, **wish)


def rows(output: str) -> tuple[list[dict[str, Any]], str]:
    """The games that would differ, and the line of the last version."""
    lines = output.splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")], lines[-1]


def play_to_the_end(hall: Harness, made: str, players: list[Player]) -> None:
    rng, policy = random.Random("rules"), level(lewis_clark, "fair")
    while True:
        with hall.services.database.read() as session:
            table = hall.services.tables.of(session, session.get_one(Game, made))
        if table.is_over:
            return
        seat = table.active[0]
        commands = dump_steps([Step(command) for command in line(policy, table.state, seat, rng)])
        assert players[seat].move(made, list(commands)).status_code == 201


@pytest.mark.slow
def test_an_old_game_ends_under_its_rules_and_the_diff_shows_the_new_ones(hall: Harness, monkeypatch):
    """Lewis & Clark: under version 1 the others share second place, under version 2 their way decides."""
    players = [hall.player(number) for number in range(3)]
    made = begun_under(1, hall, "lewis_clark", players, monkeypatch, lewis_clark)
    play_to_the_end(hall, made, players)
    shown = players[0].get(f"/games/{made}").get_json()
    assert [len(place) for place in shown["result"]["places"]] == [1, 2]
    done = run(hall, "rules", "diff", "lewis_clark", "--from", "1", "--to", "2")
    (row,), last = rows(done.output)
    assert (row["game"], row["status"], row["effect"]) == (made, "finished", "outcome")
    assert [len(row["says"][name]["places"]) for name in ("now", "then")] == [2, 3]
    assert last == "lewis_clark, rules version 1 as 2: 1 of 1 game would differ"


def test_a_game_of_covered_cards_goes_on_with_its_backs(hall: Harness, two: list[Player], monkeypatch):
    """Lewis & Clark: version 4 shows a role or a recruit; games before do not, and the diff names their first back."""
    made = begun_under(3, hall, "lewis_clark", two, monkeypatch, lewis_clark, options={"covered": "hidden"})
    first = two[0].get(f"/games/{made}").get_json()["active"][0]
    steps = dump_steps(parse(lewis_clark, "play hunter; under commander showing 1-fur; use; end"))
    assert two[first].move(made, list(steps)).status_code == 201
    seen = two[1 - first].get(f"/games/{made}/view").get_json()
    assert seen["view"]["players"][first]["table"] == [{"card": "hunter", "back": "1-fur"}]
    (row,), last = rows(run(hall, "rules", "diff", "lewis_clark").output)
    assert row == {
        "game": made,
        "rules": 3,
        "status": "running",
        "effect": "refused",
        "entry": 4,
        "says": "other-back",
    }
    assert last == "lewis_clark, rules version 3 as 4: 1 of 1 game would differ"


@pytest.mark.usefixtures("two_versions")
def test_games_without_a_difference_are_counted_alone(hall: Harness, two: list[Player], monkeypatch):
    """Games of the other version are not."""
    old = begun_under(1, hall, "pig", two, monkeypatch, Pig())
    assert two[0].move(old, ROLL).status_code == 201
    hall.game("pig", two)
    before = hall.head(old)
    done = run(hall, "rules", "diff", "pig")
    assert (done.exit_code, done.output) == (0, "pig, rules version 1 as 2: 0 of 1 game would differ\n")
    assert hall.head(old) == before


def test_the_games_of_all_older_versions_are_decided_again(hall: Harness, two: list[Player], monkeypatch):
    """Each version has its counts, also without a game; `--from` chooses one, and `--to` leaves out those after it."""
    monkeypatch.setattr(Pig, "meta", replace(Pig.meta, rules=(1, 4)))
    for version in (1, 1, 3, 4):
        begun_under(version, hall, "pig", two, monkeypatch, Pig())

    def counts(*words: str) -> list[str]:
        return run(hall, "rules", "diff", "pig", *words).output.splitlines()

    first = "pig, rules version 1 as 4: 0 of 2 games would differ"
    third = "pig, rules version 3 as 4: 0 of 1 game would differ"
    assert counts() == [first, "pig, rules version 2 as 4: 0 of 0 games would differ", third]
    assert counts("--from", "3") == [third]
    assert counts("--to", "2") == ["pig, rules version 1 as 2: 0 of 2 games would differ"]


@pytest.mark.usefixtures("two_versions")
def test_the_first_entry_that_differs_is_named(hall: Harness, two: list[Player], monkeypatch):
    """Its events differ, or the other version refuses the move."""
    old = begun_under(1, hall, "pig", two, monkeypatch, Pig())
    assert two[0].move(old, ROLL).status_code == 201
    play = Roll.play

    def other(self: Roll, turn: Any, seat: int) -> None:
        play(self, turn, seat)
        if turn.state.rules == 2:
            play(self, turn, seat)

    def refuse(self: Roll, state: Any, seat: int) -> None:
        if state.rules == 2:
            raise Refused("not-now")

    for method, changed, effect, says in (("play", other, "events", None), ("check", refuse, "refused", "not-now")):
        with monkeypatch.context() as patched:
            patched.setattr(Roll, method, changed)
            (row,), last = rows(run(hall, "rules", "diff", "pig").output)
        assert (row["game"], row["rules"], row["status"]) == (old, 1, "running")
        assert (row["effect"], row["entry"], row["says"]) == (effect, 4, says)
        assert last.endswith("1 of 1 game would differ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("chess",), "chess"),
        (("nosuch",), "there is no game nosuch here; the games are "),
        (("pig",), "pig has only rules version 1 here"),
        (("lewis_clark", "--to", "5"), "rules version 5 of lewis_clark is not here; versions here: 1 to 4"),
        (("lewis_clark", "--from", "4"), "the versions are the same"),
        (("lewis_clark", "--to", "1"), "lewis_clark has no rules version before 1 here; name one with --from"),
    ],
)
def test_versions_that_cannot_be_compared_are_refused(hall: Harness, words: tuple[str, ...], says: str):
    done = run(hall, "rules", "diff", *words)
    assert done.exit_code == 2
    assert says in done.output
