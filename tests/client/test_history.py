"""The history of a game in sentences."""

from types import SimpleNamespace

from client import history
from tests.kit.play_record import Record


def test_a_move_is_not_told_of_the_player_who_took_the_seat_later():
    """The record has the keys of earlier holders and not their names."""
    record = Record("pig", seed=3, handover="offer")
    seat = record.table.active[0]
    record.move(seat, [{"do": "roll"}])
    record.offer(seat)
    record.take(seat)
    record.move(record.table.active[0], [{"do": "roll"}])
    log = SimpleNamespace(entries=record.entries, size=record.table.size)
    player = SimpleNamespace(log=log, table=record.table, seat=None)
    names = ["Ben", "Ben"]
    names[seat] = "Cy"
    told = {line.kind: line.says for line in reversed(history.lines(player, names))}
    assert told["moved"].startswith(f"Seat {seat + 1}'s former player rolled")
    assert told["taken"].startswith("Cy, which was offered, was taken")
