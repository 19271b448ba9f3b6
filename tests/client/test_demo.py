"""The parts of the demo that need no server: waiting for a mail, looking back, telling rounds."""

import re
from types import SimpleNamespace

import httpx
import msgspec
import pytest

from client import view_check
from client.caught_mails import Mailbox, MailMissingError
from client.commands.demo import Rounds, mail_page_of, play_with_progress, usual_length
from client.http import Api
from client.log import DistrustError
from client.view_check import ShownView
from engine import kit, registry
from engine.record.log.options import load_options
from tests.kit.play_record import Record


class MailPage:
    """Shows mails one by one: each request finds one more."""

    def __init__(self, *subjects):
        self.mails = [{"id": f"{n}", "message_id": f"<{n}@x>", "subject": s} for n, s in enumerate(subjects, 1)]
        self.shown, self.asked, self.slept = 0, [], []

    def __call__(self, request):
        self.asked.append(dict(request.url.params))
        self.shown += 1
        after = request.url.params["after"]
        new = [mail for mail in self.mails[: self.shown] if mail["id"] > after]
        return httpx.Response(200, json=list(reversed(new)))

    def mailbox(self):
        api = Api("http://mail.example", None, httpx.Client(transport=httpx.MockTransport(self)))
        return Mailbox(api, "ada@players.example", self.slept.append, lambda: float(len(self.slept)))


def test_waiting_for_a_mail():
    """Fetched until the wanted one is there; what was seen before is not asked for again."""
    page = MailPage("hello", "your sign-in link", "later")
    mail = page.mailbox().wait_for(lambda one: one["subject"] == "your sign-in link", "the link")
    assert mail["message_id"] == "<2@x>"
    assert page.asked == [{"to": "ada@players.example", "after": after} for after in ("", "1")]


def test_a_mail_that_does_not_come():
    """After the patience it is said which mail was missing."""
    page = MailPage("hello")
    with pytest.raises(MailMissingError, match=r"the link: no mail to .* within 3 s"):
        page.mailbox().wait_for(lambda one: False, "the link", 3)
    assert len(page.slept) == 4


@pytest.fixture
def finished():
    """A finished hidden game, and what seat 1 was truly shown after each entry."""
    played, seen = Record("bids", 3), []
    while not played.table.is_over:
        seat = played.table.active[0]
        played.move(seat, played.choose(seat))
        view = msgspec.json.decode(msgspec.json.encode(kit.view(played.game, played.table.state, 1)))
        seen.append(ShownView(played.table.size, 1, view))
    return played, seen


def test_true_views_hold_in_hindsight(finished):
    """Each view of a hidden game is compared with the state that the finished game's bundle gives."""
    played, seen = finished
    assert view_check.check_views(played.bundle(), seen) == len(seen) > 5


def test_a_false_view_is_found_in_hindsight(finished):
    """A seat was once told another's coins wrongly: it comes out at the end, with the entry."""
    played, seen = finished
    false = seen[2].view | {"left": 99}
    with pytest.raises(DistrustError, match=f"after entry {seen[2].size - 1}"):
        view_check.check_views(played.bundle(), [*seen[:2], ShownView(seen[2].size, 1, false)])


def test_rounds_of_the_game_itself():
    """A game that counts its rounds has a line for each of them, however many moves it has."""
    rounds = Rounds(4)
    said = [rounds.line({"round": number}, seq) for seq, number in enumerate([1, 1, 2, 2, 2, 3], 10)]
    assert [line for line in said if line] == [
        "round   1:   2 moves, log up to entry 11",
        "round   2:   3 moves, log up to entry 14",
    ]
    assert rounds.last(6) == "round   3:    1 move, log up to entry 15"


def test_rounds_of_other_games():
    """A game that does not count has a line for as many moves as there are seats."""
    rounds = Rounds(2)
    said = [rounds.line({}, seq) for seq in range(4, 9)]
    assert [line for line in said if line] == [
        "round   1:   2 moves, log up to entry 5",
        "round   2:   2 moves, log up to entry 7",
    ]


def test_the_mail_page_lies_beside_the_site():
    """On the next port, as `make run` puts it."""
    assert mail_page_of("http://127.0.0.1:8000") == "http://127.0.0.1:8001"


@pytest.mark.slow
def test_the_bar_is_as_long_as_games_of_house_players_are():
    """Discoveries ends when its cards do: players with a plan need half as many moves as chance does."""
    game = registry.find("discoveries")
    options = load_options(game, {})
    planned, drawn = usual_length(game, 4, options), usual_length(game, 4, options, is_random=True)
    assert planned < 0.8 * drawn


class Played:
    """An evening of five moves, each of them shown the round that it was played in."""

    def play(self):
        for seq, number in enumerate((1, 1, 2, 2, 3), 4):
            yield None, SimpleNamespace(seq=seq), {"round": number}


@pytest.mark.parametrize("is_terminal", [True, False])
def test_the_bar_shows_the_pace(is_terminal, capsys, monkeypatch):
    """How many moves, how many a second and since when, where somebody looks; into a file go the rounds alone."""
    monkeypatch.setenv("FORCE_COLOR", "1" if is_terminal else "")
    play_with_progress(Played(), 5, 2)
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().out)
    assert [line for line in said.splitlines() if line.startswith("round")] == [
        "round   1:   2 moves, log up to entry 5",
        "round   2:   2 moves, log up to entry 7",
        "round   3:    1 move, log up to entry 8",
    ]
    assert bool(re.search(r"playing .* moves: 5 .*\d a second 0:00:0", said)) is is_terminal
