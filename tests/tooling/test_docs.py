"""The documents match the project."""

import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

import sealedmove

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


def written():
    """Every page that is tracked."""
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, capture_output=True, check=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


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
            is_heading = heading and target.suffix == ".md"  # of a golden game the number of a move follows
            if not target.exists() or (is_heading and heading not in anchors(target)):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert not broken


def test_every_variable_is_documented():
    """docs/operate.md has every environment variable that the settings and the runner read."""
    code = (ROOT / "server/kernel/config.py").read_text("utf-8") + (ROOT / "workers/dev/environment.py").read_text(
        "utf-8"
    )
    read = set(re.findall(r"""(?:env\.get\(|env\[|given\.get\()['"]([A-Z_]+)['"]""", code))
    assert len(read) > 10
    told = (ROOT / "docs/operate.md").read_text("utf-8")
    assert not [name for name in read if f"`{name}`" not in told]


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
