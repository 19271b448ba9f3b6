"""Base64url words on a command line: a key id or a token is accepted even if it begins with a dash."""

import click
import pytest
from click.testing import CliRunner

import sealedmove
from client.commands.base import PersonCommand
from engine.record.encoding import canonical

# A dash followed by every character, a second dash included; each is the text of 32 bytes.
DASHED = [canonical.to_base64url(bytes([0xF8 | i >> 4, (i & 15) << 4, *range(225, 255)])) for i in range(64)]
SERVER = "http://games.example"


def commands(found, path=()):
    """Every command that is not a group, by its words."""
    if not isinstance(found, click.Group):
        return {path: found}
    context = click.Context(found)
    below = {name: found.get_command(context, name) for name in found.list_commands(context)}
    return {key: value for name, one in below.items() for key, value in commands(one, (*path, name)).items()}


COMMANDS = commands(sealedmove.main)
PARAMETERS = [
    (path, one)
    for path, command in COMMANDS.items()
    for one in command.params
    if isinstance(one.type, click.types.StringParamType)
]
ARGUMENTS = [
    (path, one.name)
    for path, one in PARAMETERS
    if isinstance(one, click.Argument) and isinstance(COMMANDS[path], PersonCommand)
]
OPTIONS = [
    (path, one.opts[0])
    for path, one in PARAMETERS
    if isinstance(one, click.Option)
    and one.nargs == 1
    and not one.is_flag
    and (one.callback is None or one.name == "server_key")
]


def named(pairs):
    return [" ".join([*path, name]) for path, name in pairs]


def read(path, *words):
    """The parsed values of a command line, without running it."""
    return COMMANDS[path].make_context(path[-1], list(words), help_option_names=["-h", "--help"]).params


def needed(path, **given):
    """A word for each required option and argument, and for the arguments up to the last one of `given`."""
    options = [one for one in COMMANDS[path].params if isinstance(one, click.Option) and one.required]
    arguments = [one for one in COMMANDS[path].params if isinstance(one, click.Argument)]
    last = max((place for place, one in enumerate(arguments) if one.required or one.name in given), default=-1)
    words = [given.get(one.name, "1") for one in arguments[: last + 1]]
    return [*(word for one in options for word in (one.opts[0], "1")), *words]


def test_the_cases_cover_every_command_with_a_key_id_or_token():
    """And no option is longer than the shortest word."""
    assert {"keys add kid", "keys drop kid"} <= set(named(ARGUMENTS))
    assert {"login --link", *(f"{name} --server-key" for name in ("audit", "certificate", "watch"))} <= set(
        named(OPTIONS)
    )
    assert all(canonical.is_base64url_32(word) and word.startswith("-") for word in DASHED)
    assert sum(word.startswith("--") for word in DASHED) == 1
    own = [
        name
        for command in COMMANDS.values()
        if isinstance(command, PersonCommand)
        for one in command.params
        for name in one.opts
    ]
    assert max(map(len, own)) < 16


@pytest.mark.parametrize(("path", "name"), ARGUMENTS, ids=named(ARGUMENTS))
def test_an_argument_that_begins_with_a_dash_is_accepted(path, name):
    """With anything before and after it, and real options are still options."""
    for word in DASHED:
        line = needed(path, **{name: word})
        for words in (
            line,
            [*line, "--json"],
            ["--json", *line],
            ["--at", SERVER, *line],
            [f"--at={SERVER}", "--", *line],
        ):
            taken = read(path, *words)
            assert word in (taken[name], *taken[name])
            assert taken["as_json"] == ("--json" in words)
            assert taken["at"] == (SERVER if words[0].startswith("--at") else None)


@pytest.mark.parametrize(("path", "option"), OPTIONS, ids=named(OPTIONS))
def test_an_option_accepts_a_value_that_begins_with_a_dash(path, option):
    """As the next word and after an equals sign."""
    [one] = [one for one in COMMANDS[path].params if option in one.opts]
    for word in DASHED:
        expected = canonical.from_base64url(word, 32) if one.name == "server_key" else word
        for words in ([option, word], [f"{option}={word}"]):
            taken = read(path, *needed(path), *words)[one.name]
            assert taken == ((expected,) if one.multiple else expected)


def test_two_such_words_keep_their_order():
    """A key's id, then the place; an option's value between them belongs to the option."""
    first, second, third = DASHED[62], DASHED[7], DASHED[21]
    taken = read(("keys", "drop"), "--at", third, first, "--yes", second, "--forget")
    assert (taken["kid"], taken["games"], taken["at"]) == (first, (second,), third)
    assert taken["yes"]
    assert taken["forget"]


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_still_works(word):
    """After a word and before it."""
    for line in ([DASHED[33], word], [word, DASHED[33]]):
        said = CliRunner().invoke(sealedmove.main, ["keys", "add", *line])
        assert (said.exit_code, said.output.split()[:2]) == (0, ["Usage:", "main"])


@pytest.mark.parametrize("word", ["-v", "--yess", "--recover=file", "-vHZ+" + "a" * 39])
def test_another_word_with_a_dash_is_an_unknown_option(word):
    """So a misspelled option is reported as one."""
    with pytest.raises(click.NoSuchOption):
        read(("keys", "drop"), DASHED[0], word)
