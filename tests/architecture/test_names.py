"""Names: one class name stands for one thing, and every name is used."""

import ast
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from server.http import page

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "server", "workers", "client")
GAMES = "engine/games/"  # each game has the words of its own rulebook
# Two classes of one name that show the same thing: its rules or its record, its row, its mail, its form in a client.
SAME = {
    "Account": "a person or a bot at a server, as its row and as the client that is signed in",
    "Analysis": "the analysis of a finished game, and its row",
    "DeviceRequest": "a program's request for access, at the server and in the program",
    "Entry": "one line of a log, and its row",
    "Game": "the rules of a game, and the row of a match by them",
    "Hint": "a house player's hint, and its row",
    "Holiday": "the row of a holiday, and the mail about it",
    "HttpAnswer": "the answer to an HTTP request, of a webhook's receiver and of a server",
    "ServerKey": "a server's public key in entry 0, and its row",
    "Turn": "a turn in the making, and the mail that asks for one",
}
SETTINGS = "server/operate/gunicorn.py"  # Gunicorn reads its names
# Names that others use, and the page that promises them.
PROMISED = {
    "contract": "docs/release.md",
    "deprecated": "openapi/README.md",
    "export": "client/README.md",
}
# Methods that a library calls on the classes derived from its own.
CALLBACKS = {
    "aiosmtpd": ("handle_DATA", "handle_RCPT", "handle_exception"),
    "asyncio": ("data_received", "pause_writing", "resume_writing"),
    "flask": ("_openapi_json", "_raw_load_json", "handle_http_exception"),
    "gunicorn": ("_cap_keepalive", "finish_request", "murder_keepalived", "murder_pending"),
    "html.parser": ("handle_data", "handle_endtag", "handle_starttag"),
    "http.client": ("connect_unix_socket",),
    "markdown_it": ("validateLink",),
    "prompt_toolkit": ("get_completions",),
    "pytest": ("pytest_addoption", "pytest_configure"),
    "wsgiref": ("log_message",),
}
# Decorators that hand what they decorate to nobody.
PLAIN = {
    "cache",
    "cached_property",
    "classmethod",
    "contextmanager",
    "dataclass",
    "lru_cache",
    "property",
    "staticmethod",
}
NAMES = re.compile(r"[\w.:]+")
DEFINED = re.compile(r"^(?:export )?(?:async )?(?:const|let|function\*?|class) ([\w$]+)", re.MULTILINE)


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


def test_packages_share_a_class_name_only_for_the_same_thing():
    """As a game of the rules and its row in the database do; in two packages at most."""
    found = Counter(name for package in PACKAGES for name in classes(package))
    assert {name for name, count in found.items() if count > 1} == SAME.keys()
    assert max(found.values()) == 2


def registers(node):
    """Does a decorator hand it to somebody, such as Flask or click?"""
    return any(ast.unparse(one).partition("(")[0] not in PLAIN for one in node.decorator_list)


def defined(nodes):
    """The functions, classes, methods and constants that nobody is handed by a decorator."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not registers(node):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
        if isinstance(node, ast.ClassDef):
            yield from defined(one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))


def referred(tree):
    """The names and attributes that code reads, and those in a string that is one name, dotted or not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and NAMES.fullmatch(node.value):
            yield from re.split(r"\W", node.value)


@pytest.mark.slow
def test_every_name_is_used():
    """By code or a template, and not only by tests."""
    used = {name for callbacks in CALLBACKS.values() for name in callbacks} | PROMISED.keys()
    for name in tracked("*.py"):
        if not name.startswith("tests/"):
            used.update(referred(ast.parse((ROOT / name).read_text("utf-8"))))
    for name in tracked("*.html", "server/*.txt", "workers/*.txt", "pyproject.toml", "Procfile", "Makefile"):
        used.update(re.findall(r"\w+", (ROOT / name).read_text("utf-8")))
    found = {
        (file, name)
        for package in (*PACKAGES, "conformance")
        for file, tree in parsed(package).items()
        if file != SETTINGS and "/migrations/" not in file
        for name in defined(tree.body)
        if not name.startswith(("__", "test_"))
    }
    assert len(found) > 5000
    assert {one for one in found if one[1] not in used} == set()


@pytest.mark.parametrize(("name", "text"), PROMISED.items())
def test_a_promised_name_is_in_the_page_that_promises_it(name, text):
    assert re.search(rf"\b{name}\b", (ROOT / text).read_text("utf-8"))


def test_every_name_of_a_script_is_used():
    """Of the functions, classes and constants at the top of a file; not only by tests."""
    texts = [text for name, text in page.script_texts().items() if "/vendor/" not in name]
    words = Counter(word for text in texts for word in re.findall(r"[\w$]+", text))
    found = {name for text in texts for name in DEFINED.findall(text)}
    assert len(found) > 500
    assert {name for name in found if words[name] == 1} == set()
