"""Comparing an entry with the engine's decision, member by member."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import BadRecord
from engine.record.compose.decision import Decision, encode, members_of
from engine.record.encoding import canonical
from engine.record.judge import checks
from engine.record.judge.findings import Findings
from engine.record.log.entry import Entry
from engine.record.log.table import Table

# member of an entry -> the check that a difference in it fails
_CHECK_OF = {
    "events": "rules", "state": "rules", "seals": "seals", "draws": "draws", "outcome": "outcome", "secret": "outcome",
}  # fmt: skip


def check_written(
    findings: Findings,
    table: Table,
    entry: Entry,
    decided: Decision | None,
    opening: Mapping[str, Any] | None,
    secret: bytes | None,
) -> None:
    """Compare the members about events with what the engine decided."""
    written = {name: encode(entry.body[name]) for name in _CHECK_OF if name in entry.body}
    expected = _expected(table, entry, decided, secret) if decided else {}
    if table.hidden and written["events"] != expected.get("events"):
        findings.run("rules", checks.check_events, table, entry)
    findings.run("seals", checks.check_seals, table, entry, opening, secret)
    if decided and written != expected:
        _compare(findings, written, expected)


def _expected(table: Table, entry: Entry, decided: Decision, secret: bytes | None) -> dict[str, bytes]:
    expected = members_of(table, entry.seq, decided, secret, _shown_key(entry))
    if secret is None and "secret" in expected:
        expected["secret"] = encode(entry.body.get("secret"))  # judged by checks.own_secret
    return expected


def _compare(findings: Findings, written: Mapping[str, bytes], expected: Mapping[str, bytes]) -> None:
    for name, check in _CHECK_OF.items():
        if written.get(name) != expected.get(name):
            findings.fail(check, _difference(name, written.get(name), expected.get(name)))


def _shown_key(entry: Entry) -> bytes | None:
    draws = entry.body.get("draws")
    return canonical.from_base64url(draws["key"], 32) if draws else None


def _difference(name: str, written: bytes | None, expected: bytes | None) -> BadRecord:
    if expected is None:
        return BadRecord(f"unexpected-{name}", f"by the rules the entry has no {name}, but it shows some")
    if written is None:
        return BadRecord(f"{name}-missing", f"by the rules the entry has {name}, but it shows none")
    return BadRecord(f"wrong-{name}", f"{name}: playing the entry again gives a different result")
