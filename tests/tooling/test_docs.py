"""The documents match the project."""

import ast
import fnmatch
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

import sealedmove
from server.kernel import config
from server.operate import variables

ROOT = Path(__file__).parents[2]
ROLES = (
    "player", "host of tables", "operator", "author of clients and bots", "auditor", "author of games", "contributor",
)  # fmt: skip


def links(page):
    """The files and headings of this repository that a page links to, as written: `other.md#a-heading`."""
    text = re.sub(r"^(```|~~~).*?^\1", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`\n]+`", "", text))
    return [link for link in found if not link.startswith(("http:", "https:", "/"))]


def pages_behind(page):
    """The pages that are one click away from this one."""
    targets = ((page.parent / link.split("#", maxsplit=1)[0]).resolve() for link in links(page))
    return {target for target in targets if target.suffix == ".md" and target.is_file()}


def anchors(page):
    """The address of a heading: small letters, without marks, hyphens for spaces."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def tracked():
    """The path of every file."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def written():
    """Every page that is tracked."""
    return [ROOT / name for name in tracked() if name.endswith(".md")]


# What a reader makes or has, and the folders that an ADR is about.
ELSEWHERE = {
    *("build/", "var/", "deploy/env", "2026/0193f3c2.txt", "tests/audit/releases/VERSION/", "sealedmove/1/"),
    *(".../deliveries/", "s/", "auth/", "projections/", "usecases/", "web/"),
}
OURS = {
    ".py",
    ".js",
    ".html",
    ".css",
    ".toml",
}  # a file of another kind that is named without a folder may be a reader's


def paths(page, kinds, folders):
    """What looks like a path on a page: a file's name, a folder's, or what begins with a folder of the project."""
    text = re.sub(r"\]\([^)]*\)", "]", page.read_text("utf-8"))
    found = re.findall(r"(?<![\w$~:@=./<>*-])[\w<>*.-]+(?:/[\w<>*.-]+)*/?(?!\w*[@(=])", text)
    words = {re.sub(r"^(\.\./)+", "", word.rstrip(".")) for word in found}
    files = {word for word in words if Path(word).suffix in (kinds if "/" in word else OURS)}
    return files | {word for word in words if word.endswith("/") or word.startswith(folders)}


def is_path(written, known):
    """A file, a folder, or a module without its `.py`, written from some folder on; `<game>` is any game."""
    pattern = re.sub(r"<\w+>", "*", written).rstrip("/")
    return pattern in known or f"{pattern}.py" in known or ("*" in pattern and bool(fnmatch.filter(known, pattern)))


def test_every_path_that_a_page_names_exists():
    """Of every kind of file, in the READMEs, docs/ and the pages for contributors."""
    parts = [name.split("/") for name in tracked()]
    known = {"/".join(path[at:to]) for path in parts for at in range(len(path)) for to in range(at + 1, len(path) + 1)}
    kinds = {Path(path[-1]).suffix for path in parts} - {""}
    folders = tuple({f"{path[0]}/" for path in parts if len(path) > 1})
    others = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
    pages = [page for page in written() if page.name in others or ROOT / "docs" in page.parents]
    named = {(page.relative_to(ROOT).as_posix(), path) for page in pages for path in paths(page, kinds, folders)}
    assert not sorted((page, path) for page, path in named if path not in ELSEWHERE and not is_path(path, known))


@pytest.mark.parametrize("wrong", ["http/errors.py", "static/game/panel.js", "workers/<room>/page.py", "tests/kits/"])
def test_a_path_with_a_wrong_folder_is_none(wrong):
    """Though a file of its name exists."""
    assert not is_path(wrong, {"kernel/errors.py", "static/turn/panel.js", "server/play/page.py", "tests/kit"})


def test_every_folder_in_the_table_of_the_readme_has_its_own():
    """With its law, or a table of what is in it."""
    rows = re.findall(r"^\| (`[^|]+) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    folders = [folder for row in rows for folder in re.findall(r"`([^`]+)/`", row)]
    assert len(folders) > 9
    assert not [folder for folder in folders if not (ROOT / folder / "README.md").is_file()]


def test_every_block_of_code_ends_where_it_looks_like_it():
    """The marks that end a block in a list are indented like the list: others begin a block that hides text."""
    for page in written():
        marks = re.findall(r"^( *)(```|~~~)(\S*) *$", page.read_text("utf-8"), re.MULTILINE)
        pairs = list(zip(marks[::2], marks[1::2], strict=True))
        odd = [(begin, end) for begin, end in pairs if (begin[:2], "") != (end[:2], end[2])]
        assert not odd, page


def test_every_page_is_two_clicks_from_the_index():
    """docs/index.md links each page of docs/, or links a page that does."""
    index = ROOT / "docs/index.md"
    near = pages_behind(index)
    reached = {index} | near | {page for first in near for page in pages_behind(first)}
    docs = set((ROOT / "docs").rglob("*.md"))
    assert len(docs) > 40
    assert not sorted(str(page.relative_to(ROOT)) for page in docs - reached)


@pytest.mark.parametrize("role", ROLES)
def test_every_role_has_a_page_to_begin_with(role):
    """The index has one row for each reader, whose second column is one page."""
    index = ROOT / "docs/index.md"
    row = re.findall(rf"^\| an? \*\*{role}\*\* \| \[[^\]]+\]\(([^)]+)\) \|", index.read_text("utf-8"), re.MULTILINE)
    assert [(index.parent / link).is_file() for link in row] == [True]


def test_every_link_leads_somewhere():
    """To an existing file and heading."""
    broken = []
    for page in written():
        for link in links(page):
            name, _, heading = link.partition("#")
            target = page.parent / name if name else page
            is_heading = heading and target.suffix == ".md"  # for a golden game it is the number of a move
            if not target.exists() or (is_heading and heading not in anchors(target)):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert not broken


def test_the_table_of_variables_is_the_one_that_the_program_prints():
    """`sealedmove variables > FILE` gives the table to be copied."""
    printed = CliRunner().invoke(sealedmove.main, ["variables"]).output
    assert printed in (ROOT / "docs/operate.md").read_text("utf-8")


def test_the_table_has_every_variable_that_the_code_reads_and_no_other():
    """Each by a literal name, or by the name of its setting."""
    named = {name.upper() for name in (*config.COUNTS, *config.LIMITS)}
    read = {name for path in sorted(programs()) for name in variables_read(path)} | named
    assert re.findall(r"^\| `(\w+)` \|", variables.table(), re.MULTILINE) == [*known()]
    assert read - NOT_OURS == set(known())


def test_the_defaults_of_options_are_those_in_the_table():
    """House players have theirs with the options of their command."""
    players = sealedmove.load(sealedmove.COMMANDS["players"].where)
    given = {str(one.envvar): one.default for one in players.params if one.envvar in known()}
    shown = {name: f"`{value}`" if isinstance(value, str | float) else "none" for name, value in given.items()}
    assert {name: known()[name]["default"] for name in shown} == shown


# What a web server passes to an application, what the runner passes on, what our own configuration sets for a library.
NOT_OURS = {
    *("CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING", "REQUEST_METHOD", "SERVER_PROTOCOL"),
    *("PATH", "PROMETHEUS_MULTIPROC_DIR"),
}
ENVIRONMENTS = {"env", "environ", "given", "whole", "os.environ"}  # how the code calls what it reads


def known():
    return tomllib.loads((ROOT / "server/operate/variables.toml").read_text("utf-8"))


def programs():
    folders = ("engine", "server", "workers", "client")
    return [ROOT / "sealedmove.py", *(path for folder in folders for path in (ROOT / folder).rglob("*.py"))]


def variables_read(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(value=where, attr="get"), args=[ast.Constant(value=str(name)), *_]):
                yield from {name} if ast.unparse(where) in ENVIRONMENTS and name.isupper() else ()
            case ast.Call(args=[where, ast.Constant(value=str(name)), *_]):  # a helper that reads a number
                yield from {name} if ast.unparse(where) in ENVIRONMENTS and name.isupper() else ()
            case ast.Subscript(value=where, slice=ast.Constant(value=str(name))):
                yield from {name} if ast.unparse(where) in ENVIRONMENTS and name.isupper() else ()
            case ast.keyword(arg="envvar", value=ast.Constant(value=str(name))):
                yield name


def test_every_rule_of_safety_has_its_test():
    """docs/safety.md names existing tests for each rule."""
    rules = [line for line in (ROOT / "docs/safety.md").read_text("utf-8").splitlines() if line.startswith("| ")]
    named = [re.findall(r"`([\w./]+)::([^`]+)`", line) for line in rules if line != "| rule | test |"]
    assert len(named) > 40
    assert all(named)
    assert not [test for tests in named for test in tests if not is_there(*test)]


def is_there(path, name):
    """True if a test of Python or of node has this name."""
    text = (ROOT / "tests" / path).read_text("utf-8")
    return f"def {name}(" in text or f'test("{name}"' in text


def test_help_lists_the_commands_and_loads_none():
    """With a line for each command."""
    said = CliRunner().invoke(sealedmove.main, ["--help"]).output
    assert not [name for name in sealedmove.COMMANDS if f"  {name} " not in said]


@pytest.mark.parametrize("name", sorted(sealedmove.COMMANDS))
def test_every_command_can_be_loaded(name):
    """Each line of the table names a command that exists."""
    answer = CliRunner().invoke(sealedmove.main, [name, "--help"])
    assert answer.exit_code == 0, answer.output
