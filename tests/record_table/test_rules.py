"""The table of laws: an act that breaks one is refused and fails an audit; one that just keeps it is logged."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import Refused
from engine.record.audit import audit
from engine.record.laws import admission, preconditions
from tests.kit.attempts import STRANGER, at_door, attempt, logged
from tests.kit.audited import failed
from tests.kit.laws import BROKEN, KEPT
from tests.kit.records import lobby

SPEC = Path(__file__).parents[2] / "docs" / "spec" / "record.md"
RULES = {rule.code: rule for rule in preconditions.LAWS}


def test_every_law_has_a_case_for_every_kind_it_applies_to():
    """A new law, or a kind added to one, needs its case here. A `keyed` of an empty seat has its own test below."""
    tried = {(code, make()[1].kind) for code, _, make in BROKEN if code != "too-many-joins"}
    asked = {(rule.code, kind) for rule in preconditions.LAWS for kind in rule.kinds}
    assert asked - tried == {("too-many-joins", "joined"), ("seat-empty", "keyed")}
    assert tried <= asked


@pytest.mark.parametrize(("code", "make"), [(code, make) for code, _, make in BROKEN],
                         ids=[f"{code}: {name}" for code, name, _ in BROKEN])  # fmt: skip
def test_an_act_that_breaks_a_law_is_refused_and_its_entry_fails(code, make):
    """The server refuses it with code and facts and changes nothing; in an audit its check fails at that entry."""
    record, tried, facts = make()
    before, lines = record.table, list(record.lines)
    with pytest.raises(Refused) as no:
        at_door(record, tried)
    assert (no.value.code, no.value.facts) == (code, facts)
    assert RULES[code].says.format_map(facts)
    assert (record.table, record.lines) == (before, lines)
    assert failed(logged(record, tried)).get(RULES[code].check) == len(lines)


def test_a_key_of_an_empty_seat_is_unknown_to_the_server():
    """Nobody can sign for it, so only an audit can find that the seat is empty."""
    record = lobby("pig", 0)
    tried = attempt(record, "keyed", 1, seed=STRANGER)
    with pytest.raises(Refused) as no:
        at_door(record, tried)
    assert no.value.code == "unknown-key"
    assert failed(logged(record, tried)) == {"chain": 2, "signatures": 2}


@pytest.mark.parametrize("name", KEPT)
def test_an_act_that_just_keeps_a_law_is_logged_and_holds(name):
    """The audit of the whole game holds."""
    record = KEPT[name]()
    assert audit(record.bundle()).verdict == "holds"


# --- the page ---------------------------------------------------------------------------------------------------------


def as_text():
    """The table of laws as the lines of a Markdown table."""
    yield "| Code | Asked of | Check | Law |"
    yield "|---|---|---|---|"
    for rule in preconditions.LAWS:
        kinds = "every kind" if rule.kinds == preconditions.KINDS else ", ".join(f"`{kind}`" for kind in rule.kinds)
        yield f"| `{rule.code}` | {kinds} | {rule.check} | {rule.law} |"


def test_the_specification_shows_the_table():
    """Section 4.2 is the table of the code, word for word."""
    assert "\n".join(as_text()) in SPEC.read_text("utf-8")


def test_every_code_has_its_own_sentence_and_facts():
    """No two laws share a code."""
    assert len(RULES) == len(preconditions.LAWS)
    assert {code: admission.SAYS[code] for code in RULES} == {code: rule.says for code, rule in RULES.items()}
