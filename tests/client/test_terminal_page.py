"""docs/terminal.md is held: its commands exist, its tables are the code's; `test_terminal.py` runs its scripts."""

import re
import shlex

import click
import pytest

import sealedmove
from client.commands import spoken
from client.panel import WORDS
from tests.e2e.instance import ROOT

PAGE = (ROOT / "docs" / "terminal.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ sealedmove (.*)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_page_is_taken(line):
    """The command is there and takes what the page gives it."""
    name, *words = shlex.split(line)
    command = sealedmove.load(sealedmove.COMMANDS[name].where)
    ctx = command.make_context(name, words)
    if isinstance(command, click.Group):
        found, sub, rest = command.resolve_command(ctx, [*ctx._protected_args, *ctx.args])
        sub.make_context(found, rest).close()
    ctx.close()


def test_the_page_shows_most_commands():
    """Each of a person's commands stands on it."""
    assert {line.split()[0] for line in COMMANDS} == {
        "login", "new", "games", "join", "show", "play", "resign", "give", "keys",
    }  # fmt: skip


def test_the_words_of_the_panel_stand_there():
    """The table is that of the code."""
    assert dict(re.findall(r"^\| `(/\w+)` \| (.*) \|$", PAGE, re.MULTILINE)) == WORDS


def test_the_statuses_stand_there():
    """Every exit status has its line, and there are no others."""
    told = {int(number) for number in re.findall(r"^\| (\d+) \| ", PAGE, re.MULTILINE)}
    names = ("REFUSED", "USAGE", "DISTRUSTED", "NO_ANSWER", "NOT_SIGNED", "STOPPED")
    assert told == {0, *(getattr(spoken, name) for name in names)}
