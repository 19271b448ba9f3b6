"""Every code has a sentence, advice and a row in the documentation; a sentence names the value that was found."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registry
from engine.kit.play import REFUSALS
from server.http.schemas import UNREADABLE
from server.kernel.advice import ADVICE
from server.kernel.errors import ENGINE, SERVER, TITLES

ROOT = Path(__file__).parents[2]
RAISED = ("Refused", "BadNotation", "Ambiguous")
OTHERWISE = {  # sentences without the value found, each with its reason
    "all-own-dice": "the dice are the player's own, and the command to give is what they need",
    "bad-notation": "`says` is the whole sentence, and the reader of notation puts the value into it",
    "bad-seats": "`found` is the number of players, in a request that the server never makes a sentence of",
    "not-now": "the answer has the refused command beside it, as `notation`",
    "unknown-level": "`facts` name it beside the levels that there are",
    "wrong-game": "`found` is a hash that nobody reads",
    "wrong-key": "`found` is the thumbprint of a key, and the key is in the request",
}


def raised() -> Iterator[tuple[str, frozenset[str]]]:
    """The code and the facts of each refusal in the source."""
    for path in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in RAISED and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    yield str(first.value), frozenset(fact.arg or "" for fact in node.keywords)


def sentences() -> dict[str, str]:
    games = {code: said for game in registry.games().values() for code, said in game.refusals.items()}
    return {**TITLES, **REFUSALS, **games}


@pytest.mark.parametrize("code", sorted({*SERVER, *ENGINE}))
def test_every_code_has_a_sentence_advice_and_a_row_in_the_documentation(code):
    title = SERVER[code][1] if code in SERVER else TITLES[code]
    assert re.fullmatch(r"[A-Z'`{].+\.", title)
    assert ADVICE[code].endswith(".")
    assert f"\n| `{code}` | " in (ROOT / "docs/refusals.md").read_text("utf-8")


@pytest.mark.parametrize("code", sorted({code for code, facts in raised() if "found" in facts} - set(OTHERWISE)))
def test_a_sentence_names_the_value_found(code):
    """A problem of the server has one title for all cases, as RFC 9457 asks; its `facts` name the value."""
    assert "{found" in sentences()[code]


@pytest.mark.parametrize("code", OTHERWISE)
def test_every_exception_is_needed(code):
    assert "{found" not in sentences()[code]
    assert any(code == one and "found" in facts for one, facts in raised())


def details() -> Iterator[tuple[str, str]]:
    """The code and the sentence of each fault of signed bytes in the source, the sentence as a pattern."""
    for path in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "BadRecord":
                parts = getattr(node.args[1], "values", [node.args[1]])
                given = [re.escape(part.value) if isinstance(part, ast.Constant) else ".+" for part in parts]
                yield getattr(node.args[0], "value", ""), "".join(given)


@pytest.mark.parametrize("code", UNREADABLE)
def test_the_example_of_a_detail_is_a_sentence_of_the_source(code):
    """Of a raise with this code, or with a code that is not written out there."""
    assert any(one in (code, "") and re.fullmatch(pattern, UNREADABLE[code]) for one, pattern in details())
