"""A server that starts anew reads a game's stored lines and folds their events; nothing is decided again."""

from engine import registry
from engine.record.entry import read_entry
from engine.record.table import Table
from tests.kit.play_record import Record

from .timing import heading, line, seconds

GAMES = {"pig": 4, "bids": 5, "livingstone": 4}


def main() -> None:
    heading("Rebuild of a game from its stored lines, per 1,000 events")
    for key, seats in GAMES.items():
        if key in registry.games():
            report(key, seats)


def report(key: str, seats: int) -> None:
    played = Record(key, seats)
    played.play()
    openings = {opening["seq"]: opening for opening in played.openings}
    events = sum(
        len((openings.get(seq) or read_entry(text).body).get("events", ())) for seq, text in enumerate(played.lines)
    )
    took = seconds(lambda: rebuild(played.lines, openings))
    line(f"{key}, {seats} seats: 1,000 events", f"{took * 1e6 / events:,.1f} ms", f"measured on {events} events")


def rebuild(lines: list[bytes], openings: dict[int, dict]) -> Table:
    table = Table.opened(read_entry(lines[0]))
    for seq, text in enumerate(lines[1:], 1):
        table = table.after(read_entry(text), openings.get(seq), verify=False)
    return table
