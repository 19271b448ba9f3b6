"""The cost of one entry in an audit, for logs of growing length: it must not grow with them."""

from engine.record.audit import audit
from tests.kit.play_record import bundle_of

from .long_games import LONG
from .timing import heading, line, seconds


def main() -> None:
    heading("Audit of longer and longer logs (aim: an entry costs the same in each)")
    for name, make in LONG.items():
        lines = make()
        for part in (4, 2, 1):
            report(name, lines[: len(lines) // part])


def report(name: str, lines: list[bytes]) -> None:
    data = bundle_of(lines)
    took = seconds(lambda: audit(data))
    line(f"{name}, {len(lines)} entries", f"{took / len(lines) * 1e6:,.0f} us an entry", f"{len(data):,} bytes")
