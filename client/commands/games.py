"""`sealedmove games`: list your games, those waiting for your move first, by the time left."""

from __future__ import annotations

import time

import click

from client import tables
from client.commands.base import Caller, command, with_caller
from client.entry_text import clock_words
from client.tables import Detail, TableRow
from client.terminal import columns, quiet, say
from engine.kit import count

HEADS = ("game", "what", "seat", "whose turn", "time left", "players")


@command()
@click.option("--open", "opening", is_flag=True, help="List tables with a seat that you can take.")
@click.option("--all", "everything", is_flag=True, help="Also list games that are over.")
@with_caller
def main(caller: Caller, opening: bool, everything: bool) -> None:
    """List your games: those waiting for your move first, then by the time left."""
    host = caller.host
    if opening:
        found = tables.free(host)
        caller.answer(found, lambda: _free(found))
        return
    rows = tables.ours(host, finished=everything)
    caller.answer([row.value() for row in rows], lambda: _ours(rows))


def _ours(rows: list[TableRow]) -> None:
    if not rows:
        say(
            "You have no game here. `sealedmove games --open` lists tables with free seats, `sealedmove new` opens one."
        )
        return
    ids = [row.game["id"] for row in rows]
    waiting = sum(row.mine for row in rows)
    columns([_row(row, ids) for row in rows], HEADS, strong=waiting)
    mine = f"It is your turn in {count(waiting, 'game')}. To move: `sealedmove play`"
    quiet(f"\n{mine if waiting else 'None of them is waiting for you.'}")


def _row(row: TableRow, ids: list[str]) -> list[str]:
    game = row.game
    turn = "YOU" if row.mine else tables.turn_words(game)
    left = tables.left_words(row.deadline, time.time()) if game["status"] == "running" else ""
    return [
        tables.short(game["id"], ids),
        game["type"],
        tables.seat_words(row.seat),
        turn,
        left,
        tables.sat(game),
    ]


def _free(found: list[Detail]) -> None:
    if not found:
        say("No table has a free seat. `sealedmove new` opens one.")
        return
    heads = ("game", "what", "free", "clock", "players")
    columns(
        [[game["id"], game["type"], _seats(game), _clock(game), tables.sat(game)] for game in found],
        heads,
    )


def _clock(game: Detail) -> str:
    """Only the time for a turn; `show` has the rest."""
    return clock_words(game["clock"]).partition(",")[0]


def _seats(game: Detail) -> str:
    return f"{len(game['free_seats'])} of {len(game['seats'])}"
