"""Tests wait for conditions; the one time limit is in tests/kit/patience.py."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
FILES = sorted(path for path in TESTS.rglob("*.py") if "bench" not in path.parts)  # benches measure time
WAITS = ("wait", "join", "result", "settimeout", "wait_for", "timeout", "communicate", "get_message")


def limits(tree):
    """Numbers of seconds, five or more, that bound a wait: `join(1)` may seat a player."""
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


def expressions(tree):
    """What `wait_for_function` gets that is not a function: pages forbid `eval`, so only its first look succeeds."""
    strings = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if getattr(call.func, "attr", "") == "wait_for_function":
            given = strings.get(getattr(call.args[0], "id", ""), call.args[0])
            text = given.values[0] if isinstance(given, ast.JoinedStr) else given
            if isinstance(text, ast.Constant) and not re.match(r"(\(.*?\)|\w+) =>", str(text.value)):
                yield call.lineno, text.value


def test_a_page_is_asked_by_a_function():
    """An expression fails whenever it is not true at once."""
    assert {str(path): own for path in FILES if (own := [*expressions(ast.parse(path.read_text("utf-8")))])} == {}


def test_an_expression_is_found():
    """Written there or above; a function is none."""
    text = 'ASKED = "b"\nwait_for = 1\npage.wait_for_function("a === 1")\npage.wait_for_function(ASKED)\n'
    text += 'page.wait_for_function("() => a")\npage.wait_for_function(f"(b) => {c}")\n'
    assert [line for line, _ in expressions(ast.parse(text))] == [3, 4]
