"""The vector files are those that the second implementation writes. `conformance/test_record.py` judges by them."""

from __future__ import annotations

import base64

import pytest

from conformance.test_record import RUN
from tests.kit import vectors
from tests.kit.vectors import __main__ as maker
from tests.kit.vectors import scene

ELSEWHERE = ("compare", "clock", "registrations", "statements", "key-backups")  # judged by other tests


@pytest.mark.parametrize("name", [f"{name}.json" for name in ("values", *RUN, *ELSEWHERE)])
def test_the_files_are_what_the_second_implementation_makes(name: str) -> None:
    """This fails if a vector is edited by hand or the implementation changes."""
    assert (maker.FOLDER / name).read_text("ascii") == _texts()[name]


_made: dict[str, str] = {}


def _texts() -> dict[str, str]:
    if not _made:
        _made.update(maker.texts())
    return _made


def test_the_vectors_are_ascii_text() -> None:
    """Any JSON parser can read them."""
    assert vectors.__doc__
    assert all(path.read_bytes().isascii() for path in maker.FOLDER.glob("*.json"))
    assert base64.b64decode(scene.NOTE.split("\n")[2])
