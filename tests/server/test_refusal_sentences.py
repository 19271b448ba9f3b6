"""Every code has a sentence, advice and a row in the documentation; an example of a detail is one that is raised."""

import re
from collections import defaultdict
from functools import cache, partial
from pathlib import Path

import pytest

from conformance.test_record import CASES, RUN
from engine import registry
from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.log.options import load_options
from server.http.schemas import UNREADABLE
from server.kernel.advice import ADVICE
from server.kernel.errors import ENGINE, SERVER, TITLES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("code", sorted({*SERVER, *ENGINE}))
def test_every_code_has_a_sentence_advice_and_a_row_in_the_documentation(code):
    title = SERVER[code][1] if code in SERVER else TITLES[code]
    assert re.fullmatch(r"[A-Z'`{].+\.", title)
    assert ADVICE[code].endswith(".")
    assert f"\n| `{code}` | " in (ROOT / "docs/refusals.md").read_text("utf-8")


# Three codes that no test vector has.
OTHERS = (
    lambda: canonical.dumps([None, float("nan")]),
    lambda: load_options(registry.find("tikal"), {"edition": "house"}),
    lambda: load_options(registry.find("tikal"), {}, b"{}"),
)


@cache
def raised() -> dict[str, set[str]]:
    """The sentences about signed bytes that cannot be read, by their code."""
    said = defaultdict(set)
    for act in (*(partial(RUN[file], case) for file, case in CASES), *OTHERS):
        try:
            act()
        except BadRecord as wrong:
            said[wrong.code].add(wrong.says)
    return said


@pytest.mark.parametrize("code", UNREADABLE)
def test_the_example_of_a_detail_is_a_sentence_that_is_raised(code):
    assert UNREADABLE[code] in raised()[code]
