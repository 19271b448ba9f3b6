"""The bundles in `conformance/vectors/bundles` get the verdicts beside them, and are as their maker makes them."""

import json

import pytest

from engine import registry
from engine.record.log import bundle
from tests.audit.bundles.__main__ import FOLDER, all_bundles, verdict_of

VERDICTS = json.loads((FOLDER / "verdicts.json").read_text())


@pytest.mark.parametrize("name", VERDICTS)
def test_a_bundle_gets_its_verdict(name):
    """Even one from an older version: a bundle that once held must hold forever."""
    assert verdict_of((FOLDER / name).read_bytes()) == VERDICTS[name]


@pytest.mark.parametrize("name", VERDICTS)
def test_good_bundles_pass_and_broken_ones_do_not(name):
    """Only good files get `holds` or `open`, so a wrong verdict beside a file fails here."""
    passes = VERDICTS[name]["verdict"] in ("holds", "open")
    assert passes == name.startswith("good/")


def test_the_files_are_those_of_their_maker():
    """A change of the record's bytes shows here first."""
    made = all_bundles()
    assert made.keys() == VERDICTS.keys()
    assert [name for name, data in made.items() if (FOLDER / name).read_bytes() != data] == []


def test_every_rules_version_of_every_game_has_a_finished_bundle():
    """So a change of behaviour under an old number cannot pass unseen."""
    finished = [name for name, found in VERDICTS.items() if (found["verdict"], found["stage"]) == ("holds", "finished")]
    first = [json.loads(bundle.read((FOLDER / name).read_bytes()).lines[0]) for name in finished]
    versions = {(entry["rules"]["game"], entry["rules"]["version"]) for entry in first}
    spans = {key: game.meta.rules for key, game in registry.games().items()}
    assert versions == {(key, n) for key, (old, new) in spans.items() for n in range(old, new + 1)}
