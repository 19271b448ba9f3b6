"""The panel with servers that refuse, and that read other moves than were typed."""

from unittest.mock import Mock

import pytest
from prompt_toolkit.document import Document

from client.commands.base import CommandError
from client.commands.play import _play
from client.errors import NotSignedError
from client.position import position
from client.turn_prompt import TurnPrompt, WordCompleter

from .dishonest import Proxy, refuse
from .fake_game_server import Answers, FakeGameServer
from .people import ROLL, At, seated


@pytest.fixture
def sit(tmp_path):
    """A server behind a proxy and its players."""

    def seats(key):
        house = FakeGameServer(key, 2)
        way = Proxy(house)
        return house, way, seated(tmp_path, house=house, way=way)[1]

    return seats


def play(house, player, *lines, yes=()):
    """Play a turn with these lines and answers; returns the questions."""
    house.asked = player.player.seat
    answers = Answers(*lines, yes=yes)
    TurnPrompt(player.player, answers).turn()
    return answers.asked


def signed(way):
    """The number of acts that the client has sent."""
    return sum(b"jws" in body for body in way.seen)


def test_nothing_is_signed_without_a_yes(sit):
    """With any commands typed, planned and undone."""
    house, way, players = sit("pig")
    way.seen.clear()
    asked = play(
        house, players[0], "roll", "/undo", "/sign", "jump", "/legal", "/help", "roll", "/quit", yes=[False] * 2
    )
    assert asked == ["Sign it?"] * 2
    assert not signed(way)
    play(house, players[0], "roll", yes=[True])
    assert signed(way) == 1


def test_a_yes_signs_only_the_position_that_was_shown(sit, tmp_path, capsys):
    """Another device of the player has moved while the question was open: the draft move is shown again instead."""
    house, way, players = sit("pig")
    elsewhere = At(house, tmp_path / "elsewhere", 0)
    answers = Answers("roll", yes=[True])
    answers.before = lambda: elsewhere.move(ROLL)
    way.seen.clear()
    house.asked = 0
    TurnPrompt(players[0].player, answers).turn()
    assert answers.asked == ["Sign it?"]
    assert not signed(way)
    assert "Nothing was signed" in capsys.readouterr().out


def test_a_move_of_one_line_is_signed_only_where_it_was_shown(sit, tmp_path):
    """With a question; a script that says --yes has seen no position."""
    house, way, players = sit("pig")
    elsewhere = At(house, tmp_path / "elsewhere", 0)
    house.asked = 0
    caller = Mock(may_ask=True)
    caller.sure = lambda *_, **__: bool(elsewhere.move(ROLL))
    way.seen.clear()
    with pytest.raises(CommandError, match="Nothing was signed"):
        _play(caller, players[0].player, "roll", yes=False, either=False)
    assert not signed(way)


def test_a_second_signature_needs_a_second_yes(sit, capsys):
    """A move that a hidden game's server refused may still be logged: the panel says so, and "no" signs nothing."""
    house, way, players = sit("bids")
    way.seen.clear()
    no = refuse("whatever")
    way.acts = lambda request: no(request) if request.url.path.endswith("/moves") else None
    play(house, players[0], "bid 1", yes=[True])
    assert signed(way) == 1
    way.acts = None
    asked = play(house, players[0], "bid 2", yes=[True, False])
    assert "either of the two" in asked[1]
    assert "refused with whatever" in capsys.readouterr().out
    assert signed(way) == 1
    play(house, players[0], "bid 2", yes=[True, True])
    assert signed(way) == 2


def test_only_abbreviated_commands_are_read_by_the_server(sit):
    """So a server that reads another move is seen."""
    house, _, players = sit("bids")
    house.asked = 0
    house.told = [{"do": "bid", "amount": 3}]
    here = position(players[0].player, ("ada", "ben"))
    assert [step.command.amount for step in here.read((), "bid 1")] == [1]
    assert [step.command.amount for step in here.read((), "b 1")] == [3]


def test_earlier_steps_are_not_replaced(sit):
    """The server's version of them is not accepted."""
    house, _, players = sit("bids")
    house.asked = 0
    here = position(players[0].player, ("ada", "ben"))
    plan = here.read((), "bid 1")
    house.told = [{"do": "bid", "amount": 3}, {"do": "bid", "amount": 1}]
    with pytest.raises(NotSignedError) as caught:
        here.read(plan, "b 1")
    assert caught.value.code == "other-steps"


LEGAL = ["enter a1", "enter a2", "walk a1 b2", "walk a1 c3", "done"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("", ["enter", "walk", "done"]),
        ("e", ["enter"]),
        ("d", ["done"]),
        ("enter ", ["a1", "a2"]),
        ("walk a1 ", ["b2", "c3"]),
        ("walk a1 c", ["c3"]),
        ("wal", ["walk"]),
        ("jump ", []),
        ("/un", ["/undo"]),
        ("enter a1; ", []),
    ],
)
def test_words_are_completed_to_legal_commands(typed, offered):
    """The next word of all matches; the whole rest, if there is only one."""
    assert [one.text for one in WordCompleter(LEGAL).get_completions(Document(typed), None)] == offered


def test_a_single_match_is_completed_at_once():
    """All its words."""
    assert [one.text for one in WordCompleter(["walk a1 b2", "done"]).get_completions(Document("w"), None)] == [
        "walk a1 b2"
    ]
