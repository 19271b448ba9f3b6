"""Functions and files stay small enough to be read in one go."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "server" / "http" / "static"
CODE = ("engine", "server", "workers", "client")
LONGEST_FUNCTION, LONGEST_FILE, LONGEST_LINE = 30, 600, 120
# A longer function needs a reason here, or is made shorter.
LONG = {
    "engine/games/livingstone/view.py:view": "a line for each thing that may be seen",
    "workers/dev/mailpage.py:create_app": "its lines are the routes, one small function each",
}


def files():
    return sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.py"))


def scripts():
    """Of the pages, without vendored ones and bundles."""
    return sorted(path for path in STATIC.rglob("*.js") if not {"vendor", "bundle"}.intersection(path.parts))


def long_functions():
    for path in files():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = node.end_lineno - node.lineno + 1
                if lines > LONGEST_FUNCTION and "migrations" not in path.parts:
                    yield f"{path.relative_to(ROOT)}:{node.name}", lines


def test_functions_are_short():
    """A function of more than 30 lines is an exception with a reason."""
    assert not [f"{name} has {lines} lines" for name, lines in long_functions() if name not in LONG]


def test_exceptions_are_still_needed():
    """No entry of the table has become short."""
    assert not LONG.keys() - {name for name, _ in long_functions()}


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_short(path):
    """No file of code has more than 600 lines, and each begins with a docstring."""
    text = path.read_text("utf-8")
    assert text.count("\n") <= LONGEST_FILE
    assert not text.strip() or ast.get_docstring(ast.parse(text)), "no docstring"


@pytest.mark.parametrize("path", scripts(), ids=lambda path: str(path.relative_to(STATIC)))
def test_scripts_are_short(path):
    """No script of a page has more than 600 lines, and each begins with a comment."""
    text = path.read_text("utf-8")
    assert text.count("\n") <= LONGEST_FILE
    assert text.startswith("// ")


@pytest.mark.parametrize(
    "path", [*scripts(), *sorted((ROOT / "tests").rglob("*.mjs"))], ids=lambda path: str(path.relative_to(ROOT))
)
def test_lines_of_scripts_are_short(path):
    """Prettier does not break comments and strings: no line of either is longer than 120 characters."""
    lines = path.read_text("utf-8").splitlines()
    assert not [f"{number}: {line}" for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE]
