"""The panel before servers that say no, and that read other moves than were typed."""

import pytest
from prompt_toolkit.document import Document

from client.errors import NotSignedError
from client.position import position
from client.turn_prompt import TurnPrompt, WordCompleter

from .dishonest import Proxy, refuse
from .fake_game_server import Answers, FakeGameServer
from .people import seated


@pytest.fixture
def sit(tmp_path):
    """A server behind a proxy and its players."""

    def seats(key):
        house = FakeGameServer(key, 2)
        way = Proxy(house)
        return house, way, seated(tmp_path, house=house, way=way)[1]

    return seats


def play(house, player, *lines, yes=()):
    """Play a turn by these lines and answers; returns the questions."""
    house.asked = player.player.seat
    answers = Answers(*lines, yes=yes)
    TurnPrompt(player.player, answers).turn()
    return answers.asked


def signed(way):
    """How many acts have left the client."""
    return sum(b"jws" in body for body in way.seen)


def test_nothing_is_signed_without_a_yes(sit):
    """Whatever is typed, planned and undone: no act leaves before the question is answered by a yes."""
    house, way, players = sit("pig")
    way.seen.clear()
    asked = play(
        house, players[0], "roll", "/undo", "/sign", "jump", "/legal", "/help", "roll", "/quit", yes=[False] * 2
    )
    assert asked == ["Sign it?"] * 2
    assert not signed(way)
    play(house, players[0], "roll", yes=[True])
    assert signed(way) == 1


def test_a_second_signature_needs_a_second_yes(sit, capsys):
    """What a hidden game's server refused may still be logged: that is said, and a no leaves it at one signature."""
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


def test_what_is_written_out_is_not_the_server_s_to_read(sit):
    """A server that reads another move than was typed is asked only where words were cut short, and then it is seen."""
    house, _, players = sit("bids")
    house.asked = 0
    house.told = [{"do": "bid", "amount": 3}]
    here = position(players[0].player, ("ada", "ben"))
    assert [step.command.amount for step in here.read((), "bid 1")] == [1]
    assert [step.command.amount for step in here.read((), "b 1")] == [3]


def test_steps_that_stand_are_not_exchanged(sit):
    """The server's version of earlier steps is not accepted."""
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
def test_words_are_completed_by_what_is_legal(typed, offered):
    """The next word of everything that fits; all of the rest, once only one thing does."""
    assert [one.text for one in WordCompleter(LEGAL).get_completions(Document(typed), None)] == offered


def test_the_rest_is_completed_at_once():
    """One thing is left: its words come together."""
    assert [one.text for one in WordCompleter(["walk a1 b2", "done"]).get_completions(Document("w"), None)] == [
        "walk a1 b2"
    ]
