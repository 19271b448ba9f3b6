"""Names: one class name stands for one thing, and every name is used."""

import ast
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "server", "workers", "client")
TEXTS = ("*.py", "*.html", "*.txt", "*.md", "Procfile")
GAMES = "engine/games/"  # each game has the words of its own rulebook
SETTINGS = "server/operate/gunicorn.py"  # Gunicorn reads its names
# The record's specification has these steps by name; tests and auditors call them.
OF_THE_RECORD = {"of_lines", "state_hash"}


def tracked(*patterns):
    return subprocess.check_output(["git", "ls-files", "-z", *patterns], cwd=ROOT, text=True).rstrip("\0").split("\0")


def parsed(package):
    return {name: ast.parse((ROOT / name).read_text("utf-8")) for name in tracked(f"{package}/*.py")}


def classes(package):
    """The names of its classes, apart from the games, whose rulebooks share words."""
    trees = (tree for name, tree in parsed(package).items() if not name.startswith(GAMES))
    return Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_class_name_stands_for_one_class_of_its_package(package):
    """Imports need no second name then."""
    found = classes(package)
    assert len(found) > 20
    assert {name: count for name, count in found.items() if count > 1} == {}


def test_a_class_name_stands_in_two_packages_at_most():
    """As a game of the rules and its row in the database do."""
    found = Counter(name for package in PACKAGES for name in classes(package))
    assert {name: count for name, count in found.items() if count > 2} == {}


def defined(tree):
    """The undecorated functions and classes and the constants at the top of a file."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list:
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


@pytest.mark.slow
def test_every_name_is_used():
    """Outside its own definition, and not only by tests."""
    words = Counter()
    for name in tracked(*TEXTS):
        if not name.startswith(("tests/", "CHANGELOG", "docs/adr/")):
            words.update(re.findall(r"\w+", (ROOT / name).read_text("utf-8")))
    found = {
        (file, name)
        for package in PACKAGES
        for file, tree in parsed(package).items()
        if file != SETTINGS and "/migrations/" not in file
        for name in defined(tree)
    }
    assert len(found) > 2000
    assert {one for one in found if words[one[1]] == 1 and one[1] not in OF_THE_RECORD} == set()
