"""The bundles in `openapi/vectors/bundles` get the verdicts beside them, and are as their maker makes them."""

import json

import pytest

from tests.audit.bundles import FOLDER, all_bundles, verdict_of

VERDICTS = json.loads((FOLDER / "verdicts.json").read_text())


@pytest.mark.parametrize("name", VERDICTS)
def test_a_bundle_gets_its_verdict(name):
    """Also one that was written by an older version: what once held must hold for ever."""
    assert verdict_of((FOLDER / name).read_bytes()) == VERDICTS[name]


def test_the_files_are_those_of_their_maker():
    """A change of the record's bytes shows here first."""
    made = all_bundles()
    assert made.keys() == VERDICTS.keys()
    assert [name for name, data in made.items() if (FOLDER / name).read_bytes() != data] == []
