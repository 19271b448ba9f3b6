"""CHANGELOG.md: the sections of Keep a Changelog, each grouped by the same areas, with one line for a change."""

from __future__ import annotations

import re
from pathlib import Path

CHANGELOG = (Path(__file__).parents[2] / "CHANGELOG.md").read_text("utf-8")
SECTIONS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
AREAS = (
    "Games",
    "Tables",
    "Play in the browser",
    "Mail",
    "API",
    "Record and audit",
    "Operators",
    "Client and terminal",
    "Development",
)
LONGEST = 300


def parts(heading: str, text: str) -> list[tuple[str, str]]:
    """Each heading with the text below it, after an empty heading with the text above them all."""
    pieces = ["", *re.split(heading, text, flags=re.MULTILINE)]
    return list(zip(pieces[::2], pieces[1::2], strict=True))


_, *RELEASES = [(version, parts(r"^### (.+)$", text)[1:]) for version, text in parts(r"^## \[(.+?)\].*$", CHANGELOG)]
GROUPED = [
    (f"{version}, {section}", parts(r"^\*\*(.+)\*\*$", text))
    for version, sections in RELEASES
    for section, text in sections
]


def test_the_unreleased_changes_come_first():
    assert RELEASES[0][0] == "Unreleased"


def test_the_sections_are_those_of_keep_a_changelog_in_its_order():
    for version, sections in RELEASES:
        names = [name for name, _ in sections]
        assert names == [name for name in SECTIONS if name in names], version


def test_the_areas_of_a_section_come_from_one_list_in_its_order():
    for place, [_, *areas] in GROUPED:
        names = [name for name, _ in areas]
        assert names == [name for name in AREAS if name in names], place


def test_a_section_has_each_change_below_an_area():
    """However short it is: nobody has to count when they enter a change."""
    assert [place for place, [(_, above), *_] in GROUPED if above.strip()] == []


def test_an_area_without_a_change_is_left_out():
    assert [(place, area) for place, [_, *areas] in GROUPED for area, text in areas if not text.strip()] == []


def test_a_change_is_one_line_that_is_not_too_long():
    lines = [line for _, areas in GROUPED for _, text in areas for line in text.splitlines() if line]
    assert [line for line in lines if not line.startswith("- ") or len(line) > LONGEST] == []
