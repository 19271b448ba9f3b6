"""`python -m tests.audit.bundles` writes the bundles and `verdicts.json` beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from conformance import vector_files
from engine.record.audit import audit
from tests.audit.bundles import bounds, clock, damaged, dishonest, forms, good, handover, recovery, server, unseen

FOLDER = vector_files.FOLDER / "bundles"
Source = Callable[[], Iterator[tuple[str, bytes]]]
BROKEN: tuple[Source, ...] = (
    dishonest.dishonest,
    damaged.damaged,
    damaged.not_judged,
    clock.clock,
    handover.handover,
    recovery.recovery,
    bounds.bounds,
    unseen.unseen,
    forms.forms,
    server.server,
)


def verdict_of(data: bytes) -> dict[str, Any]:
    """A record for `verdicts.json`: the verdict, the stage, and the failing checks with the first entry that fails."""
    report = audit(data)
    fails = {name: check.first_failure for name, check in report.checks.items() if check.ok is False}
    found: dict[str, Any] = {"verdict": report.verdict, "exit": report.exit, "stage": report.stage}
    return found | ({"fails": fails} if fails else {})


def all_bundles() -> dict[str, bytes]:
    made = {f"good/{name}.txt": data for name, data in good.good()}
    for source in BROKEN:
        made |= {f"broken/{name}.txt": data for name, data in source()}
    return made


def main() -> None:
    made = all_bundles()
    for old in FOLDER.glob("*/*.txt"):
        if f"{old.parent.name}/{old.name}" not in made:
            old.unlink()
    for name, data in made.items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    verdicts = {name: verdict_of(data) for name, data in made.items()}
    (FOLDER / "verdicts.json").write_text(json.dumps(verdicts, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
