"""The second implementation reads the refused and accepted inputs, too, and comes to the same verdicts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.vector_files import load, read
from tests.kit import second

READS = {
    "lines": second.is_line,
    "base64url": lambda data: second.is_base64url(data.decode(), 32),
    "sent": second.is_sent,
    "keys": lambda data: second.is_jwk(json.loads(data)),
}
CASES = [(file, case) for file in READS for case in load(file)["cases"]]


@pytest.mark.parametrize(("file", "case"), CASES, ids=[f"{file}: {case['name']}" for file, case in CASES])
def test_two_implementations_refuse_the_same(file: str, case: dict[str, Any]) -> None:
    """The second one was written separately, from the specification alone."""
    assert READS[file](read(case["input"])) == (case["code"] is None)
