"""The result of an audit, in short."""

from __future__ import annotations

from typing import Any

from engine.record.audit import audit


def failed(data: bytes, **given: Any) -> dict[str, int | None]:
    """The failing checks, each with the first entry that fails it."""
    return {name: check.first_failure for name, check in audit(data, **given).checks.items() if check.ok is False}
