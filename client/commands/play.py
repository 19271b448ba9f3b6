"""`sealedmove play`: play your turn, step by step at a terminal or in one line of a script."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import click

from client import game_screen, history, tables
from client.commands.base import NOT_SIGNED, USAGE, Caller, CommandError, command, with_caller
from client.commands.game_argument import complete_game
from client.commands.show import choices
from client.game import Player
from client.position import Plan, PlanPreview, Position, active, position
from client.terminal import say
from client.turn_prompt import Keyboard, TurnPrompt, stops
from engine import kit
from engine.errors import BadNotation, Refused
from engine.kit import dump_steps, format_steps

HELD = 25  # seconds for which the server may hold a request


@command()
@click.argument("game", metavar="[GAME]", required=False, shell_complete=complete_game)
@click.option("--move", metavar="STEPS", help="Play these steps, separated by `;`, and ask only for confirmation.")
@click.option("--yes", is_flag=True, help="Sign the steps of --move without asking.")
@click.option("--wait", type=click.IntRange(0), metavar="SECONDS", help="Wait this long for your turn.")
@click.option("--either", is_flag=True, help="Sign even though an earlier act may still be logged instead.")
@with_caller
def main(caller: Caller, game: str | None, move: str | None, yes: bool, wait: int | None, either: bool) -> None:
    """Play your turn in GAME; without GAME, in the one with the least time left, then the next.

    At a terminal: type a step, Tab completes it by what is legal, each step is shown before it is signed.
    """
    if move is None and not caller.may_ask:
        raise CommandError("needs-move", "without a terminal, give the move: --move 'STEPS' --yes", USAGE)
    player = caller.player(caller.game(game) if game else _most_urgent(caller))
    if not _wait(player, wait or 0):
        raise _no_turn(player)
    if move is not None:
        _play(caller, player, move, yes=yes, either=either)
        return
    keyboard = Keyboard()
    while TurnPrompt(player, keyboard).turn():
        following = _next(player, caller, wait, keyboard)
        if following is None:
            return
        player = following


def _most_urgent(caller: Caller) -> str:
    turns = caller.host.session.api.get("/v1/me/turns").value
    if not turns:
        raise CommandError("not-active", "no game is waiting for your move")
    return str(turns[0]["game"])


# --- waiting ----------------------------------------------------------------------------------------------------------


def is_turn(player: Player) -> bool:
    return player.seat is not None and player.seat in active(player)


def _wait(player: Player, seconds: int) -> bool:
    """Is it our turn, now or within this many seconds?"""
    until = time.monotonic() + seconds
    player.sync()
    while not is_turn(player) and not player.table.is_over:
        left = int(until - time.monotonic())
        if left <= 0:
            return False
        player.sync(min(HELD, left))
    return not player.table.is_over


def _no_turn(player: Player) -> CommandError:
    """The reason that nothing is to be played; NotSignedError if our key has no seat."""
    if player.table.is_over:
        return CommandError("game-over", "the game is over")
    player.own_seat()
    if player.table.stage == "lobby":
        return CommandError("not-started", "the game is waiting for players")
    return CommandError("not-active", "it is not your turn")


def _next(player: Player, caller: Caller, wait: int | None, keyboard: Keyboard) -> Player | None:
    """The next game: the same one once others have played, or another that is waiting; None if there is none."""
    if wait and not player.table.is_over:
        say("Waiting for your next turn; Ctrl-C leaves.")
        if _wait(player, wait):
            return player
    if player.table.is_over:
        game_screen.ended(player, tables.names(player.api.get(f"/v1/games/{player.game}").value))
    turns = [one for one in caller.host.session.api.get("/v1/me/turns").value if one["game"] != player.game]
    if not turns:
        say("No other game is waiting for you.")
        return None
    first = turns[0]
    left = tables.left_words(first["deadline"], time.time())
    if not keyboard.yes(f"Next: {first['type']} {first['game'][:8]}, time left: {left}. Go there?"):
        return None
    found = caller.player(first["game"])
    found.sync()
    return found


# --- by one line ------------------------------------------------------------------------------------------------------


def _play(caller: Caller, player: Player, text: str, *, yes: bool, either: bool) -> None:
    """Read the move, show it, ask unless --yes was given, sign, and show the result."""
    detail = player.api.get(f"/v1/games/{player.game}").value
    names = tables.names(detail)
    here = position(player, names)
    plan = _draft_move(player, here, names, text, yes=yes)
    preview = here.preview(plan)
    if not yes and caller.may_ask:
        game_screen.plan(preview, [format_steps([step]) for step in plan], player, names)
    else:
        _warn(caller, preview)
    if not caller.sure(f"Sign '{format_steps(plan)}' as entry {player.table.size} of {player.game}?", yes=yes):
        say("Nothing was signed.")
        return
    if not yes and player.sync():
        raise CommandError(
            "stale-head", "Nothing was signed: other entries were logged after the question.", NOT_SIGNED
        )
    before = player.log.size
    entry = player.move(dump_steps(plan), either=either)
    value = _came(player, plan, entry.seq, before, names)
    caller.answer(value, lambda: _print_outcome(value))


def _warn(caller: Caller, preview: PlanPreview) -> None:
    """Name what the move wastes, also to a script."""
    for text in preview.warnings:
        caller.warn(text)


def _draft_move(player: Player, here: Position, names: Sequence[str], text: str, *, yes: bool) -> Plan:
    """The steps of the text. Steps that only the server could read are signed only by a person who sees them."""
    table = player.table
    try:
        plan = here.read((), text)
        seen = here.preview(plan)
    except BadNotation as no:
        raise Refused(no.code, says=kit.explain(table.game, no, names)) from no
    if seen.refusal and seen.certain:
        raise Refused("refused", says=f"step {seen.done + 1} is refused: {seen.refusal}")
    if yes and table.hidden and not _is_written(player, plan, text):
        raise CommandError("not-written-out", f"the server reads it as: {format_steps(plan)}")
    return plan


def _is_written(player: Player, plan: Plan, text: str) -> bool:
    try:
        return dump_steps(kit.parse(player.table.game, text)) == dump_steps(plan)
    except BadNotation:
        return False


def _came(player: Player, plan: Plan, seq: int, before: int, names: Sequence[str]) -> dict[str, Any]:
    owing = active(player)
    return {
        "game": player.game,
        "seat": player.seat,
        "entry": seq,
        "signed": dump_steps(plan),
        "move": format_steps(plan),
        "says": [line.says for line in history.lines(player, names, player.log.size - before)],
        "stopped": stops(player, seq, len(plan)),
        "status": player.table.stage,
        "your_turn": player.seat in owing,
        "active": list(owing),
        "legal": choices(player) if player.seat in owing else [],
        "result": dict(player.table.outcome) if player.table.outcome else None,
    }


def _print_outcome(value: dict[str, Any]) -> None:
    say(f"Logged as entry {value['entry']}: {value['move']}")
    for line in (*value["says"], *value["stopped"]):
        say(f"  {line}")
    say(
        "It is still your turn."
        if value["your_turn"]
        else "The game is over."
        if value["result"]
        else "Others play now."
    )
