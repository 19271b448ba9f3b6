"""The documents say what is there."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import sealedmove

ROOT = Path(__file__).parents[2]


def test_every_variable_is_told():
    """docs/operate.md has every environment variable that the settings and the runner read."""
    code = (ROOT / "server/config.py").read_text("utf-8") + (ROOT / "workers/dev/environment.py").read_text("utf-8")
    read = set(re.findall(r"""(?:env\.get\(|env\[|given\.get\()['"]([A-Z_]+)['"]""", code))
    assert len(read) > 10
    told = (ROOT / "docs/operate.md").read_text("utf-8")
    assert not [name for name in read if f"`{name}`" not in told]


def test_every_rule_of_safety_has_its_test():
    """docs/safety.md names for each rule tests that are there."""
    rules = [line for line in (ROOT / "docs/safety.md").read_text("utf-8").splitlines() if line.startswith("| ")]
    named = [re.findall(r"`([\w./]+)::([^`]+)`", line) for line in rules if line != "| rule | test |"]
    assert len(named) > 40
    assert all(named)
    assert not [test for tests in named for test in tests if not is_there(*test)]


def is_there(path, name):
    """A test of Python or of node's, by the name that it has there."""
    text = (ROOT / "tests" / path).read_text("utf-8")
    return f"def {name}(" in text or f'test("{name}"' in text


def test_help_lists_the_commands_and_loads_none():
    """`sealedmove --help` says what each command does."""
    said = CliRunner().invoke(sealedmove.main, ["--help"]).output
    assert not [name for name in sealedmove.COMMANDS if f"  {name} " not in said]


@pytest.mark.parametrize("name", sorted(sealedmove.COMMANDS))
def test_every_command_can_be_loaded(name):
    """Each line of the table names a command that exists."""
    answer = CliRunner().invoke(sealedmove.main, [name, "--help"])
    assert answer.exit_code == 0, answer.output
