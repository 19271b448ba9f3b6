"""The result of an audit, in short."""

from __future__ import annotations

from typing import Any

from engine.record.audit import audit


def failed(data: bytes, **given: Any) -> dict[str, int | None]:
    """The checks that fail, with the first entry that does."""
    return {name: check.first_failure for name, check in audit(data, **given).checks.items() if check.ok is False}
