"""`sealedmove join`: take a free seat or an offered one, with a key on this machine and a recovery key kept
elsewhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from client import keys
from client.commands.base import Caller, CommandError, command, with_caller
from client.commands.game_argument import game_argument
from client.game import Player
from client.home import UnsignedConsent
from client.terminal import quiet, say
from engine.record.signed.keys import Jwk

WHEN_READY = "It starts when every seat is taken and everyone is ready: `sealedmove ready {}`."

WHY = (
    "A recovery key brings your seat back if this machine is lost or stolen. It is a small file.\n"
    "Keep it elsewhere, on a USB stick or with another machine's backup. It can do nothing else."
)


def recovery_option(called: Any) -> Any:
    says = "Use the recovery key in this file, which is made if it is missing; later seats use it too."
    return click.option("--recovery", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help=says)(
        called
    )


@command()
@game_argument()
@click.option(
    "--seat", type=click.IntRange(1, 64), help="The seat; by default one kept for you, or the first free one."
)
@click.option("--take", is_flag=True, help="Take over a seat of a running game that is offered or absent.")
@click.option("--unsigned", is_flag=True, help="Agree to a table where moves without a signature are possible.")
@click.option("--by-mail", is_flag=True, help="Accept unsigned moves of your own seat, because you also play by email.")
@click.option("--either", is_flag=True, help="Sign even though an earlier act may still be logged instead.")
@recovery_option
@with_caller
def main(
    caller: Caller,
    game: str,
    seat: int | None,
    take: bool,
    unsigned: bool,
    by_mail: bool,
    either: bool,
    recovery: Path | None,
) -> None:
    """Take a seat of GAME with this machine's key."""
    game = caller.game(game)
    agreed = UnsignedConsent(unsigned=unsigned or by_mail, by_mail=by_mail)
    value = sit_down(caller, game, seat, recovery, agreed, take=take, either=either)
    caller.answer(value, lambda: _print_seat(caller, value))


def sit_down(
    caller: Caller,
    game: str,
    seat: int | None,
    recovery: Path | None,
    agreed: UnsignedConsent,
    *,
    take: bool = False,
    either: bool = False,
) -> dict[str, Any]:
    """Take the seat (counted from 1) and keep the game as one of ours."""
    named = recovery_key(caller, recovery)
    host, before = caller.host, caller.host.agreed(game)
    host.sit(game, agreed)
    player = caller.player(game)
    try:
        found = _seated(player, None if seat is None else seat - 1, named, take=take, either=either)
        player.sync()  # the last one to sit down starts the game
    except BaseException:
        host.sit(game, before)
        raise
    return {"game": game, "seat": found, "key": host.key.kid, "recovery": named, "status": player.table.stage}


def _seated(player: Player, seat: int | None, recovery: Jwk | None, *, take: bool, either: bool) -> int:
    player.sync()
    if player.seat is not None:
        raise CommandError("already-seated", f"this machine's key has seat {player.seat + 1} already")
    if take or player.table.stage == "running":
        return player.take(seat, recovery, either=either)
    return player.join(seat, recovery, either=either)


def _print_seat(caller: Caller, value: dict[str, Any]) -> None:
    say(f"You have seat {value['seat'] + 1} of {value['game']}; it signs with the key {value['key']}.")
    if value["status"] == "running":
        say("The game is running: `sealedmove play`.")
    elif caller.host.session.api.get(f"/v1/games/{value['game']}").value["start"] == "ready":
        say(WHEN_READY.format(value["game"]))
    else:
        quiet("It starts when every seat is taken; you will get an email.")


# --- the recovery key -------------------------------------------------------------------------------------------------


def recovery_key(caller: Caller, path: Path | None) -> Jwk | None:
    """The public half for new seats, from this file or the one that is kept; a person is asked once."""
    host = caller.host
    kept = host.recovery()
    if path is None and kept is None and caller.may_ask and not host.was_asked():
        path = _ask_recovery_file()
        host.keep_asked()
    if path is None:
        return kept
    public = keys.load_or_make(path, caller.warn).jwk
    host.keep_recovery(public)
    return public


def _ask_recovery_file() -> Path | None:
    say(WHY)
    given = click.prompt("Write it to which file? (Enter for none)", default="", show_default=False)
    return Path(given).expanduser() if given.strip() else None
