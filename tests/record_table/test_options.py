"""Options in entry 0: all plain ones in full, an edition apart by its hash."""

from typing import ClassVar

import pytest

from engine.errors import BadRecord, NewerRecord
from engine.game import Options, Value
from engine.record.encoding import canonical
from engine.record.log.entry import read_entry
from engine.record.log.fold import open_table
from engine.record.log.options import data_hash, dump_options, load_options
from tests.kit.play_record import Record


class Edition(Value, frozen=True):
    prices: tuple[int, ...] = (1, 2)


class EditionOptions(Options, frozen=True):
    lots: int = 5
    edition: Edition = Edition()


class WithEditions:
    class meta:  # noqa: N801 - as a game names it
        key: ClassVar[str] = "toy"
        options: ClassVar[type[Options]] = EditionOptions


def test_defaults_are_written_out():
    """So a default that is changed later does not change old games."""
    assert dump_options(load_options(WithEditions, {})) == ({"lots": 5}, None)


def test_an_edition_travels_as_a_file():
    """Its canonical bytes come back unchanged; the house edition is not named."""
    other = b'{"prices":[3]}'
    options = load_options(WithEditions, {"lots": 2}, other)
    assert options.edition.prices == (3,)
    assert dump_options(options) == ({"lots": 2}, other)
    assert len(data_hash(other)) == 43


@pytest.mark.parametrize(
    ("plain", "edition", "code"),
    [
        ({"edition": {}}, None, "bad-options"),
        ({"lots": True}, None, "bad-options"),
        ({"other": 1}, None, "bad-options"),
        ({}, b'{"prices":["3"]}', "bad-options"),
        ({}, b'{"prices": [3]}', "not-canonical"),
        ({}, b"x" * 2**20, "bad-edition"),
    ],
)
def test_an_unknown_or_malformed_option_is_refused(plain, edition, code):
    """Types and bounds are the Struct's."""
    with pytest.raises(BadRecord) as refused:
        load_options(WithEditions, plain, edition)
    assert refused.value.code == code


def changed(**members):
    body = canonical.loads(Record("pig", start=False).lines[0])
    return read_entry(canonical.dumps(body | members))


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({"game": "chess", "version": 1, "data": None}, "unknown-game"),
        ({"game": "pig", "version": 2, "data": None}, "newer-rules"),
    ],
)
def test_rules_that_are_missing_here_cannot_be_judged(rules, code):
    """A later auditor may know them."""
    with pytest.raises(NewerRecord) as refused:
        open_table(changed(rules=rules))
    assert refused.value.code == code


def test_data_that_is_not_named_or_not_there_is_refused():
    """The files are those that entry 0 names, by hash."""
    named = {"game": "pig", "version": 1, "data": {"edition.json": data_hash(b"{}")}}
    for entry, data in ((changed(), {"edition.json": b"{}"}), (changed(rules=named), {})):
        with pytest.raises(BadRecord) as refused:
            open_table(entry, data)
        assert refused.value.code == "wrong-data"
