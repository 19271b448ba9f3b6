"""The rules of the voice find banned sentences, and accept good ones."""

import ast

import pytest

from tests.tooling import sentences, voice
from tests.tooling.sentences import Sentence

BAD = [
    ("he", "error", "Over plain http he could take the session."),
    ("is-no", "error", "The key K is none of seat 2 that is in force."),
    ("is-no", "error", "This is no mail address that mail can go to."),
    ("who", "page", "Who chooses nothing gets each of these mails at once"),
    ("who", "docs", "The seat is open. Who sits down may leave."),
    ("who", "test", "who is absent is played for"),
    ("what", "error", "What was chosen about mail is not as the request names it."),
    ("to-who", "error", "This is for who is signed in."),
    ("to-who", "page", "A mail of whose sender nobody knows."),
    ("of-what", "docs", "The list of what is legal now."),
    ("upon", "law", "The act is signed upon an entry."),
    ("as-may-be", "error", "Some fields of the request are not as they must be."),
    ("spaces", "docs", "Two  spaces."),
    ("quotes", "docs", 'A \u201cfine\u201d and a "plain" one.'),
]
GOOD = [
    "Sign in, or send an API token.",
    "There is no game 7; it is no longer listed.",
    "Who begins? What happens next?",
    "What to type",
    "Players who miss two turns count as absent.",
    "Tell them who has moved, and what it costs.",
    "`he` is a name in code, and `is no key` too.",
    "The rest of the players, and those of whom the log tells.",
]


def broken(text, kind):
    return [found.rule.name for found in voice.breaches([Sentence("docs/x.md", 1, kind, text)])]


@pytest.mark.parametrize(("rule", "kind", "text"), BAD)
def test_a_banned_pattern_is_found(rule, kind, text):
    assert broken(text, kind) == [rule]


@pytest.mark.parametrize("text", GOOD)
def test_good_sentences_pass(text):
    assert [broken(text, kind) for kind in ("docs", "error", "comment", "docstring")] == [[], [], [], []]


def test_a_finding_names_the_line_of_its_words():
    [found] = voice.breaches([Sentence("docs/x.md", 7, "docs", "A line.\n\nIt is signed\nupon it.")])
    assert str(found) == "docs/x.md:10: upon: 'upon it.' -> on, after"


def test_an_exception_covers_its_words_and_must_be_needed(tmp_path, monkeypatch):
    """The list of exceptions cannot outlive its sentences."""
    (tmp_path / "x.md").write_text("It is signed upon this.\n")
    (tmp_path / "list.toml").write_text(
        '[[exception]]\npath = "x.md"\nrule = "upon"\ntext = "upon this"\nreason = "a proverb"\n'
    )
    monkeypatch.setattr(voice, "EXCEPTIONS", tmp_path / "list.toml")
    monkeypatch.setattr(sentences, "ROOT", tmp_path)
    assert list(voice.judged(["x.md"])) == []
    (tmp_path / "x.md").write_text("It is signed.\n")
    assert list(voice.judged(["x.md"])) == ["list.toml: nothing needs the exception 'upon' for 'upon this' in x.md"]


def test_every_exception_has_a_reason_and_a_rule():
    names = {rule.name for rule in voice.RULES}
    assert [one for one in voice.spared() if one.rule not in names or not one.reason.strip()] == []


def _glued(path):
    """The conditions on a number that choose a word inside a longer sentence."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        chosen = node.value if isinstance(node, ast.FormattedValue) else None
        if isinstance(chosen, ast.IfExp) and isinstance(chosen.body, ast.Constant):
            asked = ast.unparse(chosen.test)
            if asked.endswith((" == 1", " != 1", " > 1")):
                yield f"{path}:{node.lineno}: {asked}"


@pytest.mark.parametrize("part", ["engine", "server", "workers", "client"])
def test_no_sentence_makes_its_own_plural(part):
    """`count` of the kit makes them, so that another language needs only templates."""
    assert [found for path in (sentences.ROOT / part).rglob("*.py") for found in _glued(path)] == []
