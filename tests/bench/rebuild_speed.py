"""A restarted server reads a game's stored lines and folds their events; nothing is decided again."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine.games.livingstone.components import HOUSE, Copies
from engine.games.livingstone.meta import LivingstoneOptions
from engine.record.log.entry import read_entry
from engine.record.log.fold import apply_entry, open_table
from engine.record.log.table import Table
from tests.kit.play_record import Record

from .timing import heading, line, seconds

LONG = Copies(
    explorer=1,
    elephants=1,
    raised_tent=0,
    steamer=20,
    coins=1,
    two_dice=1,
    market=1,
    cave=0,
    lion=0,
    rhino=0,
    antelope=0,
    mine_accident=2,
)


def main() -> None:
    heading("Rebuild of a game from its stored lines, per 1,000 events")
    report("pig", 4)
    report("bids", 5)
    report("livingstone", 4)
    report("discoveries", 4)
    edition = replace(HOUSE, name="long", copies=LONG)  # so many steamers that a game has about 1,000 events
    report("livingstone", 5, seed=5, options=LivingstoneOptions(edition=edition))


def report(key: str, seats: int, **created: Any) -> None:
    played = Record(key, seats, **created)
    played.play()
    openings = {opening["seq"]: opening for opening in played.openings}
    events = sum(
        len((openings.get(seq) or read_entry(text).body).get("events", ())) for seq, text in enumerate(played.lines)
    )
    took = seconds(lambda: rebuild(played.lines, openings, played.table.data))
    line(f"{key}, {seats} seats: 1,000 events", f"{took * 1e6 / events:,.1f} ms", f"measured on {events} events")


def rebuild(lines: list[bytes], openings: dict[int, dict], data: Mapping[str, bytes]) -> Table:
    table = open_table(read_entry(lines[0]), data)
    for seq, text in enumerate(lines[1:], 1):
        table = apply_entry(table, read_entry(text), openings.get(seq))
    return table
