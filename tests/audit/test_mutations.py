"""Thousands of structured mutations of good bundles: each is judged in time, and none passes that cheats anybody.

A few hundred belong to every run; `--mutations 20000` tries so many (CONTRIBUTING.md). The second verifier
(`tests/stranger/`), which was written from the specification alone, must not contradict.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

from engine.record.audit import Report, audit
from tests.audit.mutations.making import may_pass, mutant_of
from tests.audit.mutations.parts import bases
from tests.stranger.judge import judge

CHUNK = 250
SECONDS = 2.0
# Checks that need no rules of the game, so the second verifier makes them as well as we do.
PLAIN = ("chain", "signatures", "note")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "chunk" in metafunc.fixturenames:
        most = metafunc.config.getoption("--mutations")
        metafunc.parametrize("chunk", [range(at, min(at + CHUNK, most)) for at in range(0, most, CHUNK)], ids=str)


@pytest.mark.parametrize("name", bases())
def test_the_originals_are_good(name: str) -> None:
    """Otherwise a failing mutant would prove nothing."""
    assert audit(bases()[name]).verdict in ("holds", "open")


def test_most_mutants_are_broken() -> None:
    """The exceptions change nothing, or only what their author may change."""
    verdicts = [audit(mutant_of(number).data).verdict for number in range(200)]
    assert verdicts.count("fails") > 150


def test_no_cheating_mutant_passes(chunk: range) -> None:
    """It fails, or nobody can judge it, or it says why it may pass; it never crashes and never takes long."""
    for number in chunk:
        mutant = mutant_of(number)
        began = time.process_time()
        report = audit(mutant.data)
        assert time.process_time() - began < SECONDS, mutant[:-1]
        if report.verdict in ("holds", "open"):
            assert may_pass(mutant, report.verdict), mutant[:-1]


@pytest.mark.slow
def test_the_second_verifier_contradicts_no_verdict(chunk: range) -> None:
    """It has no rules, so it passes faults that only they reveal. It finds all others, and first at the same entry."""
    for number in chunk:
        mutant = mutant_of(number)
        assert _contradiction(audit(mutant.data), judge(mutant.data)) == "", mutant[:-1]


def _contradiction(ours: Report, theirs: dict[str, Any]) -> str:
    """The contradiction between both reports; "" if there is none."""
    verdict, other = ours.verdict, theirs["verdict"]
    if verdict == "unknown":
        return "" if other == "unknown" or ours.why.startswith(("this auditor", "rules")) else f"unknown, {other}"
    if verdict != "fails":
        return "" if other == verdict else f"{verdict}, {other}: {_failing(theirs)}"
    plain = [name for name in PLAIN if ours.checks[name].ok is False]
    if other == "unknown":
        return f"fails {plain}, unknown: {theirs.get('why')}"
    if plain and other != "fails":
        return f"fails {plain}, {other}"
    first = [ours.checks[name].first_failure for name in plain]
    theirs_first = [theirs["checks"][name]["first_failure"] for name in PLAIN if name in _failing(theirs)]
    places = _earliest(first), _earliest(theirs_first)
    return "" if ours.checks["chain"].ok is None or places[0] == places[1] else f"fails first at {places}"


def _earliest(places: list[int | None]) -> int | None:
    """The first fault; later ones depend on how far a verifier continues after it."""
    return min((place for place in places if place is not None), default=None)


def _failing(theirs: dict[str, Any]) -> list[str]:
    return [name for name, check in theirs["checks"].items() if check["ok"] is False]
