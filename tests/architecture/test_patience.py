"""Tests wait for conditions; the one time limit is in tests/kit/patience.py."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
FILES = sorted(path for path in TESTS.rglob("*.py") if "bench" not in path.parts)  # benches measure time
WAITS = ("wait", "join", "result", "settimeout", "wait_for", "timeout", "communicate", "get_message")


def limits(tree):
    """Numbers of seconds, one or more, that bound a wait."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if ast.unparse(call.func) == "pytest.mark.timeout":
            continue
        named = [word.value for word in call.keywords if word.arg == "timeout"]
        first = call.args if (name in WAITS and len(call.args) == 1) or name == "wait_for" else []
        for given in [*named, *first]:
            if isinstance(given, ast.Constant) and type(given.value) in (int, float) and given.value >= 5:
                yield given.lineno, ast.unparse(call)


def test_no_wait_has_a_limit_of_its_own():
    """It would depend on the speed of the machine."""
    assert {str(path): own for path in FILES if (own := [*limits(ast.parse(path.read_text("utf-8")))])} == {}


def test_a_limit_is_found():
    """As an argument and as a keyword."""
    text = "process.wait(30)\nhttpx.get(url, timeout=20)\nplayer.wait(0)\n@pytest.mark.timeout(900)\ndef test(): ...\n"
    assert [line for line, _ in limits(ast.parse(text))] == [1, 2]
