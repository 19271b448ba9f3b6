"""`sealedmove edition`: a template for an edition, and the check of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client.commands.edition import main


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def made(path: Path, **changes: Any) -> Path:
    """The house edition in a file of its own, changed."""
    assert run("new", "discoveries", path).exit_code == 0
    plain = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**plain, "name": "mine", **changes}, ensure_ascii=False), "utf-8")
    return path


def renamed(path: Path, name: str) -> Path:
    """With another name of the first tribe."""
    plain = json.loads(made(path).read_text("utf-8"))
    plain["cards"][0]["tribe"]["name"] = name
    path.write_text(json.dumps(plain, ensure_ascii=False), "utf-8")
    return path


def test_a_new_edition_has_a_line_for_each_card(tmp_path: Path) -> None:
    """It is the house edition, which need not be sent."""
    path = tmp_path / "mine.json"
    assert run("new", "discoveries", path).exit_code == 0
    assert sum('"number"' in line for line in path.read_text("utf-8").splitlines()) == 55
    told = run("check", "discoveries", path)
    assert (told.exit_code, "is the house edition" in told.output) == (1, True)


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    path = made(tmp_path / "mine.json")
    before = path.read_bytes()
    assert "File exists" in run("new", "discoveries", path).output
    assert path.read_bytes() == before


def test_a_good_edition_is_named_by_its_hash(tmp_path: Path) -> None:
    told = run("check", "discoveries", made(tmp_path / "mine.json"))
    assert told.exit_code == 0, told.output
    assert "is a valid edition 'mine' of Discoveries" in told.output
    assert "Its hash in the record will be " in told.output


def test_accents_are_allowed(tmp_path: Path) -> None:
    assert run("check", "discoveries", renamed(tmp_path / "mine.json", "Nez Perc\u00e9")).exit_code == 0


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": "My own"}, "matching regex"),
        ({"cards": []}, "length >= 55"),
        ({"colour": "red"}, "unknown field"),
    ],
)
def test_an_error_in_an_edition_is_reported(tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    told = run("check", "discoveries", made(tmp_path / "mine.json", **changes))
    assert (told.exit_code, says in told.output) == (1, True), told.output


def test_an_error_names_the_card(tmp_path: Path) -> None:
    told = run("check", "discoveries", renamed(tmp_path / "mine.json", "no capital"))
    assert (told.exit_code, "card 1: " in told.output) == (1, True), told.output


@pytest.mark.parametrize(
    ("words", "says"),
    [(("check", "chess", "x"), "there is no game chess"), (("check", "tikal", "x"), "tikal has no editions")],
)
def test_a_game_without_editions_is_refused(words: tuple[str, ...], says: str) -> None:
    told = run(*words)
    assert (told.exit_code, says in told.output) == (1, True)


@pytest.mark.parametrize(("data", "says"), [(b"{", "is not JSON"), (b"\xff", "is not UTF-8"), (None, "cannot be read")])
def test_a_file_that_is_not_an_edition_is_refused(tmp_path: Path, data: bytes | None, says: str) -> None:
    path = tmp_path / "mine.json"
    if data is not None:
        path.write_bytes(data)
    told = run("check", "discoveries", path)
    assert (told.exit_code, says in told.output) == (1, True)
