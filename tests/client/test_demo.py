"""The parts of the demo that need no server: waiting for a mail, checking past views, showing rounds."""

import re
from types import SimpleNamespace

import httpx
import msgspec
import pytest

from client import view_check
from client.caught_mails import Mailbox, MailMissingError
from client.commands.demo import Rounds, mail_page_of, play_with_progress, two_or_nearest, usual_length
from client.demo_show import EACH, Show
from client.http import Api
from client.log import DistrustError
from client.view_check import ShownView
from engine import kit, registry
from engine.record.log.options import load_options
from tests.kit.play_record import Record


class MailPage:
    """Shows mails one by one: each request returns one more."""

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


def test_the_demo_waits_for_a_mail():
    """It polls until the mail is there, and skips those seen before."""
    page = MailPage("hello", "your sign-in link", "later")
    mail = page.mailbox().wait_for(lambda one: one["subject"] == "your sign-in link", "the link")
    assert mail["message_id"] == "<2@x>"
    assert page.asked == [{"to": "ada@players.example", "after": after} for after in ("", "1")]


def test_the_demo_waits_as_long_as_mails_keep_coming():
    """A busy server mails every turn before the email that the game is over."""
    page = MailPage(*["your turn"] * 8, "the game is over")
    assert page.mailbox().wait_for(lambda one: one["subject"] == "the game is over", "the end", 3)


def test_a_missing_mail_is_named_after_the_time_limit():
    page = MailPage("hello")
    with pytest.raises(MailMissingError, match=r"the link: no mail to .* within 3 s"):
        page.mailbox().wait_for(lambda one: False, "the link", 3)
    assert len(page.slept) == 4


@pytest.fixture
def finished():
    """A finished hidden game, and the true view of seat 1 after each entry."""
    played, seen = Record("bids", 3), []
    while not played.table.is_over:
        seat = played.table.active[0]
        played.move(seat, played.choose(seat))
        view = msgspec.json.decode(msgspec.json.encode(kit.view(played.game, played.table.state, 1)))
        seen.append(ShownView(played.table.size, 1, view))
    return played, seen


def test_true_views_hold_in_hindsight(finished):
    """Each view of a hidden game is compared with the state in the finished game's bundle."""
    played, seen = finished
    assert view_check.check_views(played.bundle(), seen) == len(seen) > 5


def test_a_false_view_is_found_in_hindsight(finished):
    """One view showed another player's coins wrongly: the check names its entry."""
    played, seen = finished
    false = seen[2].view | {"left": 99}
    with pytest.raises(DistrustError, match=f"after entry {seen[2].size - 1}"):
        view_check.check_views(played.bundle(), [*seen[:2], ShownView(seen[2].size, 1, false)])


def test_a_game_that_counts_rounds_has_a_line_for_each():
    """However many moves a round has."""
    rounds = Rounds(4)
    said = [rounds.line({"round": number}, seq) for seq, number in enumerate([1, 1, 2, 2, 2, 3], 10)]
    assert [line for line in said if line] == [
        "round   1:   2 moves, log up to entry 11",
        "round   2:   3 moves, log up to entry 14",
    ]
    assert rounds.last(6) == "round   3:    1 move, log up to entry 15"


def test_another_game_has_a_line_for_as_many_moves_as_seats():
    """It counts no rounds, so none is named."""
    rounds = Rounds(2)
    said = [rounds.line({}, seq) for seq in range(4, 9)]
    assert [line for line in said if line] == [
        "moves   1 to   2: log up to entry 5",
        "moves   3 to   4: log up to entry 7",
    ]
    assert rounds.last(5) == "moves   5 to   5: log up to entry 8"


class Watched:
    """A server's public view after each of some moves, in a show whose players have a copy of the log."""

    def __init__(self, key):
        self.record = Record(key, seed=3, seats=2)
        self.looks = 0

    def get(self, _path):
        self.looks += 1
        table = self.record.table
        seen = kit.view(table.game, table.state, None)
        view = msgspec.json.decode(msgspec.json.encode(seen))
        return SimpleNamespace(value={"view": view, "board": table.game.board(seen, ("Ada", "Ben"))})

    url = "http://games.example"

    def show(self, moves, capsys):
        """The output of the show after this many moves."""
        copy = SimpleNamespace(log=self.record, table=self.record.table)
        show = Show(self, [SimpleNamespace(name=name, player=copy) for name in ("Ada", "Ben")], "1")
        show.begin()
        for _ in range(moves):
            self.record.play(1)
            show.turn(copy)
        return capsys.readouterr().out


def test_the_show_of_a_game_that_counts_no_rounds_names_none(capsys):
    """Its board is shown after some moves of each player, and only then asked for."""
    watched = Watched("tikal")
    said = watched.show(2 * EACH * 2, capsys)
    assert "Round" not in said
    assert [line for line in said.splitlines() if line.startswith("After")] == ["After 10 moves", "After 20 moves"]
    assert watched.looks == 3


def test_the_show_names_the_rounds_that_the_game_counts(capsys):
    watched = Watched("livingstone")
    said = watched.show(20, capsys)
    last = watched.record.table.state.round
    assert re.findall(r"^Round (\d+)$", said, re.MULTILINE) == [str(number) for number in range(1, last + 1)]
    assert last > 1


@pytest.mark.parametrize(("seats", "number"), [((1, 5), 2), ((2, 4), 2), ((3, 6), 3), ((1, 1), 1)])
def test_a_show_has_two_players_or_the_nearest_number(seats, number):
    assert two_or_nearest(SimpleNamespace(meta=SimpleNamespace(seats=seats))) == number


def test_the_mail_page_is_on_the_next_port():
    """As in `make run`."""
    assert mail_page_of("http://127.0.0.1:8000") == "http://127.0.0.1:8001"


@pytest.mark.slow
def test_the_bar_has_the_length_of_a_game_of_house_players():
    """Discoveries ends with its cards: planned moves need half as many as random ones."""
    game = registry.find("discoveries")
    options = load_options(game, {})
    planned, drawn = usual_length(game, 4, options), usual_length(game, 4, options, is_random=True)
    assert planned < 0.8 * drawn


class Played:
    """An evening of five moves, each with the round in which it was played."""

    def play(self):
        for seq, number in enumerate((1, 1, 2, 2, 3), 4):
            yield None, SimpleNamespace(seq=seq), {"round": number}


@pytest.mark.parametrize("is_terminal", [True, False])
def test_the_bar_shows_the_pace(is_terminal, capsys, monkeypatch):
    """Moves, moves a second and elapsed time at a terminal; a file gets the rounds only."""
    monkeypatch.setenv("FORCE_COLOR", "1" if is_terminal else "")
    play_with_progress(Played(), 5, 2)
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().out)
    assert [line for line in said.splitlines() if line.startswith("round")] == [
        "round   1:   2 moves, log up to entry 5",
        "round   2:   2 moves, log up to entry 7",
        "round   3:    1 move, log up to entry 8",
    ]
    assert bool(re.search(r"playing .* moves: 5 .*\d a second 0:00:0", said)) is is_terminal
