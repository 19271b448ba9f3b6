"""A game on a terminal: its players and whose turn it is, the board, the legal commands, the history."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from rich.text import Text

from client import tables, terminal
from client.entry_text import clock_words
from client.game import Player
from client.position import PlanPreview
from client.tables import Detail
from client.terminal import quiet, safe, say
from engine import kit
from engine.game import Game, Outcome

MOST_LEGAL = 40


def header(game: Detail, title: str, seat: int | None) -> None:
    """Print the game and its stage, and a line for each seat."""
    terminal.heading(f"{title}, {game['status']}")
    quiet(f"{game['id']}  {clock_words(game['clock'])}  entry {game['head']['seq']}")
    if game["stopped_because"]:
        say(game["stopped_because"])
    names, due = tables.names(game), {one["seat"]: one["deadline"] for one in game["deadlines"]}
    for shown in game["seats"]:
        say(_seat(game, shown, names, due, seat))


def _seat(
    game: Detail, shown: Mapping[str, Any], names: Sequence[str], due: Mapping[int, str], own: int | None
) -> Text:
    seat = shown["seat"]
    owes = seat in game["active"]
    line = Text(" -> " if owes else "    ", "bold")
    line.append(f"{seat + 1} ", terminal.style(f"seat-{seat + 1}"))
    line.append(safe(names[seat] if shown["kid"] else "(free)"), terminal.style(f"seat-{seat + 1}"))
    notes = ["you"] * (seat == own) + [word for word in ("resigned", "absent", "open") if shown[word]]
    line.append(f" ({', '.join(notes)})" if notes else "", "dim")
    if owes:
        line.append(f"  owes a move: {tables.left_words(due.get(seat), time.time())}")
        line.append(f", until {_moment(due[seat])}" if seat in due else "", "dim")
    return line


def _moment(at: str) -> str:
    """A time by this machine's clock, for people."""
    return f"{datetime.fromisoformat(at).astimezone():%a %d %b %H:%M}"


def board(player: Player, text: str, names: Sequence[str]) -> None:
    say()
    say(
        terminal.board(player.table.game, text, names)
        if text
        else Text("The game has not started, so there is no board yet.", "dim")
    )
    say()


def drawn(player: Player, names: Sequence[str]) -> str:
    """The board of the head: by our own copy in an open game, as the server draws it in a hidden one."""
    shown = player.view()
    if player.table.state is None:
        return str(shown["board"])
    game: Game[Any] = player.table.game
    return game.board(kit.view(game, player.table.state, shown["seat"]), tuple(names))


def lines(history: Sequence[Mapping[str, Any]]) -> None:
    """Print the history, a line for each entry: {"seq", "at", "seat", "says", ...}."""
    for line in history:
        seat = line["seat"]
        ink = "" if seat is None else terminal.style(f"seat-{seat + 1}").removeprefix("bold ")
        when = f"{line['seq']:>5}  {_moment(line['at'])}  "
        say(Text.assemble((when, "dim"), (terminal.folded(line["says"], len(when)), ink)))


def legal(texts: Sequence[str], most: int = MOST_LEGAL) -> None:
    """Print the legal commands in columns, and count the rest."""
    if not texts:
        return
    wide = max(map(len, texts)) + 2
    across = max(1, 78 // wide)
    shown = texts[:most]
    for at in range(0, len(shown), across):
        say("  " + "".join(text.ljust(wide) for text in shown[at : at + across]).rstrip())
    if len(texts) > most:
        quiet(f"  and {len(texts) - most} more: /legal lists all")


def plan(preview: PlanPreview, steps: Sequence[str], player: Player, names: Sequence[str]) -> None:
    """Print the effect of a draft move."""
    board(player, preview.board, names)
    terminal.heading(f"Draft: {'; '.join(steps)}")
    terminal.bullets(preview.sentences)
    if preview.refusal:
        say(Text(safe(f"  Refused from here on: {preview.refusal}"), "red"))
    warnings(preview)
    if not preview.certain:
        quiet("  Chance or hidden information decides next, so the preview ends here.")


def warnings(preview: PlanPreview) -> None:
    """Print what the draft gives up although it could be used."""
    for text in preview.warnings:
        say(Text(safe(f"  ! {text}"), "yellow"))


def ended(player: Player, names: Sequence[str]) -> None:
    """Print the result according to the log: places and points. The last entry has the reason."""
    if player.table.outcome is None:
        return
    outcome = msgspec.convert(dict(player.table.outcome), Outcome)
    terminal.heading(f"{player.table.game.meta.title} is over.{'' if outcome.won else ' Nobody has won.'}")
    points, rank = (outcome.sheet[-1][1] if outcome.sheet else ()), 1
    for place in outcome.places:
        for seat in place:
            say(f"  {rank}. {names[seat]}" + (f"  {points[seat]}" if points else ""))
        rank += len(place)
