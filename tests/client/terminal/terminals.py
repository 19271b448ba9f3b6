"""People who use `sealedmove` from their own folders, in this process with `--json` or at a real terminal."""

import json

from click.testing import CliRunner

import sealedmove
from client import session
from client.caught_mails import Mailbox
from client.http import Api
from tests.kit import installed
from tests.kit.patience import PATIENCE
from tests.servers import patient

from .person import ENTER, TAB, Person


class Said:
    """The answer of a command: its exit status, its one value, its problem."""

    def __init__(self, result):
        self.exit = result.exit_code
        self.out = result.stdout
        self.value = json.loads(result.stdout) if result.stdout.strip() else None
        self.problems = [json.loads(line) for line in result.stderr.splitlines()]

    @property
    def problem(self):
        """The one object on standard error."""
        assert len(self.problems) == 1, self.problems
        assert self.value is None, self.value
        assert self.problems[0]["do"]
        return self.problems[0]


class Scripted:
    """One person, by scripts. `email` is their address, `folder` the home of their machine's files."""

    def __init__(self, house, folder, name, http):
        self.house, self.folder, self.name, self._http = house, folder, name, http
        self.email = f"{name}.{folder.name}@players.example"
        self.env = {"SEALEDMOVE_HOME": str(folder / name), **installed.ENV}
        self._read = set()
        self.mailbox = Mailbox(Api(house.mail_url, None, http), self.email)

    def runs(self, *words, given=None):
        """Run a command with --json, as a script does."""
        return Said(CliRunner().invoke(sealedmove.main, [*map(str, words), "--json"], input=given, env=self.env))

    def does(self, *words, given=None):
        """Run a command that must succeed; returns its value."""
        said = self.runs(*words, given=given)
        assert said.exit == 0, said.problems
        return said.value

    def link(self):
        """The sign-in link in an unread mail."""
        mail = self.mailbox.wait_for(self._is_news, "the link", PATIENCE)
        self._read.add(mail["message_id"])
        return next(word for word in mail["text"].split() if "/login/" in word)

    def _is_news(self, mail):
        return mail["message_id"] not in self._read and session.token_in(mail["text"]) is not None

    def signs_in(self):
        self.does("login", self.email, "--name", self.name, "--at", self.house.url)
        self.does("login", "--link", "-", given=self.link())
        return self

    def elsewhere(self):
        """The same person with another machine."""
        there = Scripted(self.house, self.folder, f"{self.name}-elsewhere", self._http)
        there.email, there.mailbox, there._read = self.email, self.mailbox, self._read
        return there

    def at_terminal(self, *words, **given):
        return Person(*words, env=self.env, **given)


def head(house, game):
    return patient.get(f"{house.url}/v1/games/{game}").json()["head"]


def turn(two, game):
    """The player to move, and the one who waits."""
    return two if two[0].does("show", game)["game"]["active"] == [0] else two[::-1]


def until_other(one, game):
    """Hold or roll until another player owes the move."""
    while True:
        legal = [choice["notation"] for choice in one.does("show", game)["legal"]]
        if not legal:
            return
        one.does("play", game, "--move", "hold" if "hold" in legal else "roll", "--yes")


def two_moves(screen):
    """A roll by its first letter, a no to the question, then a yes."""
    screen.reads("step 1>")
    screen.types(f"r{TAB}{ENTER}")
    screen.reads("Draft: roll")
    screen.reads("You sign:")
    screen.reads('[{"do": "roll"}]')
    screen.reads("Sign it?")
    screen.types(f"n{ENTER}")
    screen.reads("Not signed.")
    screen.types(f"/undo{ENTER}")
    screen.reads("Draft: empty")
    screen.types(f"jump{ENTER}")
    screen.reads("'jump'")
    screen.types(f"roll{ENTER}")
    screen.reads("Sign it?")
    screen.types(f"y{ENTER}")
    screen.reads("Logged as entry")
    screen.reads("rolled")


def bid(screen):
    screen.reads("step 1>")
    screen.types(f"bid 1{ENTER}")
    screen.reads("Sign it?")
    screen.types(f"y{ENTER}")
