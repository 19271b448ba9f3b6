"""The laws of the pages' scripts that need no page, each file of `node/` as one test; and their types.

The page's own verifier also judges mutated bundles, a fifth of `--mutations`: it refuses only what an audit refuses.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.record.audit import audit
from engine.record.encoding import canonical
from engine.record.log import bundle
from engine.record.log.entry import read_entry
from engine.record.log.fold import apply_entry, open_table
from engine.record.log.table import Table
from tests.audit.mutations.making import Mutant, mutant_of
from tests.browser import types
from tests.generated import tools

NODE = Path(__file__).parent / "node"
FILES = sorted(NODE.glob("*.test.mjs"))
GOOD = Path(__file__).parents[2] / "conformance/vectors/bundles/good"
CHUNK = 250
# Checks that need no rules of the game, so a page makes them as well as an audit.
PLAIN = ("chain", "signatures", "draws", "note")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "chunk" in metafunc.fixturenames:
        most = metafunc.config.getoption("--mutations") // 5
        metafunc.parametrize("chunk", [range(at, min(at + CHUNK, most)) for at in range(0, most, CHUNK)], ids=str)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.partition(".")[0])
def test_each_file_of_node_tests_passes(path):
    """In the node of the lock."""
    done = tools.node("--test", "--test-reporter=spec", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", path)
    assert done.returncode == 0, done.stdout


def test_the_page_and_the_audit_agree_on_mutated_logs(chunk, tmp_path):
    """The page refuses logs that fail a check it can make, and no log that passes the audit."""
    mutants = [mutant_of(number) for number in chunk]
    data = tmp_path / "mutants.json"
    data.write_text(json.dumps([base64.b64encode(mutant.data).decode() for mutant in mutants]))
    done = tools.node("--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", NODE / "mutants.mjs", data)
    codes = json.loads(done.stdout.splitlines()[-1])
    found = [_contradiction(mutant, code) for mutant, code in zip(mutants, codes, strict=True)]
    assert [one for one in found if one] == []


def _contradiction(mutant: Mutant, code: str | None) -> str:
    """The statements of page and audit that contradict each other; "" if none do."""
    report = audit(mutant.data)
    broken = report.verdict == "fails" and [name for name in PLAIN if report.checks[name].ok is False]
    if "opening" in mutant.did:
        broken = False  # the public log, which the page reads, has no openings
    if code is not None and report.verdict in ("holds", "open"):
        return f"{mutant[:-1]}: {report.verdict}, but the page refuses it: {code}"
    return f"{mutant[:-1]}: {broken} fails, but the page accepts it" if code is None and broken else ""


def test_the_page_and_the_engine_have_the_same_table_after_every_entry(tmp_path):
    """In every good bundle: the holder and keys of each seat, and what is offered, granted, taken and lost."""
    paths = sorted(GOOD.glob("*.txt"))
    data = tmp_path / "paths.json"
    data.write_text(json.dumps([str(path) for path in paths]))
    done = tools.node("--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", NODE / "tables.mjs", data)
    for path, page in zip(paths, json.loads(done.stdout.splitlines()[-1]), strict=True):
        for seq, (found, expected) in enumerate(zip(page, tables(path), strict=True)):
            assert found == expected, f"{path.name}, entry {seq}"


def tables(path: Path) -> Iterator[dict[str, Any]]:
    """The engine's table after each entry, with the names of `tables.mjs`."""
    whole = bundle.read(path.read_bytes())
    openings = {opening["seq"]: opening for opening in whole.openings}
    table = None
    for line in whole.lines:
        entry = read_entry(line)
        table = apply_entry(table, entry, openings.get(entry.seq)) if table else open_table(entry, whole.data)
        yield {
            "stage": table.stage,
            "joins": table.joins,
            "grants": table.grants,
            "lost": [[loss.seq, loss.size, canonical.to_base64url(loss.hash)] for loss in table.lost],
            "seats": [_seat(table, seat) for seat in range(table.seats)],
        }


def _seat(table: Table, seat: int) -> dict[str, Any]:
    one = table.occupants[seat]
    holder = one and {name: getattr(one, name) for name in ("bot", "kid", "since", "added", "recoveries")} | {
        "keys": [kid for kid, _ in one.keys],
        "recovery": one.recovery and one.recovery[0],
        "offers": [*one.offers],
        "offer": one.offer and [one.offer.at, one.offer.hastened],
    }
    of_seat = {"takes": table.takes[seat], "given": table.given[seat], "gone": seat in table.gone}
    of_seat |= {"missed": table.times[seat].missed}
    return of_seat | {"free": table.free_from(seat), "holder": holder}


@pytest.mark.slow
def test_the_types_of_the_scripts_hold():
    assert not types.check()
