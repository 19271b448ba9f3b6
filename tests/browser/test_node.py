"""The laws of the pages' scripts that need no page, each file of `node/` as one test; and their types.

The page's own verifier also judges mutated bundles, a fifth of `--mutations`: it refuses only what an audit refuses.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from engine.record.audit import audit
from tests.audit.mutations.making import Mutant, mutant_of
from tests.browser import types
from tests.generated import tools

NODE = Path(__file__).parent / "node"
FILES = sorted(NODE.glob("*.test.mjs"))
CHUNK = 250
# What a verifier without the rules of the game sees as well as an audit.
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


@pytest.mark.slow
def test_the_types_of_the_scripts_hold():
    assert not types.check()
