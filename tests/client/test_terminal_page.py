"""docs/terminal.md is checked: its commands exist, its tables match the code; other tests run its scripts."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

import sealedmove
from client.commands import base
from client.home import Account, Home, UnsignedConsent
from client.turn_prompt import WORDS
from tests.e2e.instance import ROOT

PAGE = (ROOT / "docs" / "terminal.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ sealedmove (.*)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_page_is_accepted(line):
    """With the options shown."""
    name, *words = shlex.split(line, comments=True)
    command = sealedmove.load(sealedmove.COMMANDS[name].where)
    ctx = command.make_context(name, words)
    if isinstance(command, click.Group):
        found, sub, rest = command.resolve_command(ctx, [*ctx._protected_args, *ctx.args])
        sub.make_context(found, rest).close()
    ctx.close()


def test_the_page_shows_most_commands():
    """Each command for people is on it."""
    assert {line.split()[0] for line in COMMANDS} == {
        "login", "new", "games", "join", "show", "play", "resign", "give", "keys",
        "talk", "holidays", "pause", "invitations", "rematch", "limits", "ready",
    }  # fmt: skip


def test_the_page_lists_the_words_of_the_panel():
    """As in the code."""
    assert dict(re.findall(r"^\| `(/\w+)` \| (.*) \|$", PAGE, re.MULTILINE)) == WORDS


def test_the_page_lists_the_exit_statuses():
    """Every one, and no others."""
    told = {int(number) for number in re.findall(r"^\| (\d+) \| ", PAGE, re.MULTILINE)}
    names = ("REFUSED", "USAGE", "DISTRUSTED", "NO_ANSWER", "NOT_SIGNED", "STOPPED")
    assert told == {0, *(getattr(base, name) for name in names)}


@pytest.mark.slow
def test_the_pages_line_for_bash_completes_commands(tmp_path):
    """And games, without a request to any server."""
    game = "4f2f0f1c-7b0e-4c56-9d3c-2f6e0d6d2a11"
    host = Home(tmp_path).remember(Account("https://games.example", "a-token", "1", "Ada"))
    host.sit(game, UnsignedConsent())
    (line,) = re.findall(r"^(eval .*bash_source.*?) +#", PAGE, re.MULTILINE)
    asked = 'asked() { COMP_WORDS=(sealedmove "$@"); COMP_CWORD=$#; COMPREPLY=(); _sealedmove_completion sealedmove; '
    asked += 'echo "${COMPREPLY[@]}"; }'
    script = f"{line}\n{asked}\nasked jo; asked show 4f"
    said = subprocess.run(["bash", "-c", script], env=_with_command(tmp_path), capture_output=True, text=True)
    assert (said.stderr, said.stdout.split()) == ("", ["join", game])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_of_the_page_gets_its_script(shell, tmp_path):
    """The page's line evaluates it; bash runs it above."""
    assert f"_SEALEDMOVE_COMPLETE={shell}_source sealedmove" in PAGE
    asked = _with_command(tmp_path) | {"_SEALEDMOVE_COMPLETE": f"{shell}_source"}
    said = subprocess.run(["sealedmove"], env=asked, capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, "")
    assert f"{shell}_complete" in said.stdout


def _with_command(home):
    """An environment with `sealedmove` on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": path, "SEALEDMOVE_HOME": str(home)}
