"""`sealedmove keys`: list the keys that sign for you, add another device's, drop a lost one, recover a seat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

from client import keys, session
from client.commands import key_backup, recovery_acts
from client.commands.base import Caller, CommandError, with_caller
from client.commands.game_argument import complete_game
from client.commands.groups import ListGroup
from client.game import Player
from client.http import ApiError
from client.terminal import columns, quiet, say
from engine.kit import count
from engine.record.encoding import canonical
from engine.record.signed.keys import Jwk, jwk, thumbprint

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.group(cls=ListGroup)
def main() -> None:
    """The keys that sign for you: `list` them, `add` another device's, `drop` one, `recover` a seat.

    The private half of a key never leaves its machine.
    """


@main.command("list")
@click.argument("game", required=False, metavar="[GAME]")
@with_caller
def list_(caller: Caller, game: str | None) -> None:
    """The account's keys; with GAME, those that may sign for your seat there."""
    if game is not None:
        _of_seat(caller, caller.player(caller.game(game)))
        return
    host = caller.host
    found = [{**one, "here": one["kid"] == host.key.kid} for one in host.session.api.get("/v1/me/keys").value]
    named = host.recovery()
    waits = host.session.api.get("/v1/me/waiting").value
    value = {"keys": found, "recovery": None if named is None else _kid(named), "waiting": waits}
    caller.answer(value, lambda: _print_keys(found, value["recovery"], waits))


def _print_keys(found: list[dict[str, Any]], recovery: Any, waits: list[dict[str, Any]]) -> None:
    columns([[one["kid"], one["created_at"], "this machine" if one["here"] else ""] for one in found],
            ("key", "since", ""))  # fmt: skip
    quiet(f"Recovery key of new seats: {recovery or 'none; make one with `sealedmove keys recovery FILE`'}")
    for one in waits:
        say(f"Requested without a signature: {one['act']} {one['about']}. It takes effect on {one['due_at']}; "
            f"`sealedmove keys cancel {one['id']}` cancels it.")  # fmt: skip


def _of_seat(caller: Caller, player: Player) -> None:
    player.sync()
    seat = player.own_seat()
    occupant = player.table.occupants[seat]
    assert occupant is not None
    found = [{"kid": kid, "here": kid == player.key.kid} for kid, _ in occupant.keys]
    recovery = None if occupant.recovery is None else occupant.recovery[0]
    value = {"game": player.game, "seat": seat, "keys": found, "recovery": recovery}
    rows = [[kid, "this machine" if kid == player.key.kid else ""] for kid, _ in occupant.keys]
    caller.answer(value, lambda: columns([*rows, *([[recovery, "recovery"]] if recovery else [])], ("key", "")))


@main.command()
@click.argument("number", type=int)
@with_caller
def cancel(caller: Caller, number: int) -> None:
    """Cancel a request that was made without a signature; `sealedmove keys` lists its NUMBER."""
    caller.host.session.api.delete(f"/v1/me/waiting/{number}")
    caller.answer({"cancelled": number}, lambda: say("The request is cancelled."))


# --- acts -------------------------------------------------------------------------------------------------------------


def in_games(called: Any) -> Any:
    """The options of commands that act in several games."""
    called = click.option("--yes", is_flag=True, help="Do not ask.")(called)
    return click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=complete_game)(called)


@main.command()
@click.argument("kid")
@in_games
@with_caller
def add(caller: Caller, kid: str, games: tuple[str, ...], yes: bool) -> None:
    """Let another device's key sign for you: KID is the id that `sealedmove keys` shows there.

    First sign in on the other device. Without GAMEs, the key is added in every running game that this machine plays and
    in which it does not sign yet.
    """
    new = _registered(caller, kid)
    found = _players(caller, games, lambda one: bool(games) or not _signs(one, kid))
    done = _sign(caller, found, "Let the key {} sign for you in {}?", kid, lambda one: one.add_key(new), yes=yes)
    if done is not None:
        _let_in(caller, kid)
        recovery_acts.exit_if_failed(done)


@main.command()
@click.argument("kid")
@in_games
@click.option("--forget", is_flag=True, help="Also remove the key from the account, so that it cannot take new seats.")
@with_caller
def drop(caller: Caller, kid: str, games: tuple[str, ...], yes: bool, forget: bool) -> None:
    """Remove the key KID, for example of a machine that is no longer yours.

    If the key may be stolen, use `recover` instead: it removes all keys that a thief may have added.
    """
    found = _players(caller, games, lambda one: _has(one, kid))
    if not any(found) and not forget:
        raise CommandError("not-a-key", f"the key {kid} does not sign for any of your seats")
    done = _sign(caller, found, "Remove the key {} in {}?", kid, lambda one: one.drop_key(kid), yes=yes)
    if done is None:
        return
    if forget:
        _forget(caller, kid)
    recovery_acts.exit_if_failed(done)


@main.command()
@click.argument("file", type=_FILE)
@in_games
@with_caller
def recover(caller: Caller, file: Path, games: tuple[str, ...], yes: bool) -> None:
    """Make this machine's key the only key of your seats, with the recovery key in FILE.

    All other keys of the seats are removed, and offers of the seats are withdrawn. Without GAMEs, this happens in every
    unfinished game that this machine knows or the server lists.
    """
    signer = keys.load(file, caller.warn)
    found = recovery_acts.seats(caller, signer, [caller.game(game) for game in games] or None)
    if not caller.sure(f"Make this machine's key the only key in {count(len(found), 'game')}?", yes=yes):
        say("Nothing was signed.")
        return
    done = recovery_acts.act_in(caller, found, lambda one: one.recover(signer))
    caller.answer({"done": done}, lambda: recovery_acts.show(done))
    recovery_acts.exit_if_failed(done)


@main.command()
@click.argument("file", type=_FILE)
@with_caller
def recovery(caller: Caller, file: Path) -> None:
    """Make a recovery key in FILE if it has none. Every seat that you take from now on uses it."""
    public = keys.load_or_make(file, caller.warn).jwk
    caller.host.keep_recovery(public)
    value = {"recovery": _kid(public), "file": str(file)}
    caller.answer(value, lambda: say(f"{file} holds the recovery key {_kid(public)}. Keep it on another device."))


main.add_command(key_backup.group)


# --- inside -----------------------------------------------------------------------------------------------------------


def _kid(key: Jwk) -> str:
    return thumbprint(canonical.from_base64url(key["x"], 32))


def _registered(caller: Caller, kid: str) -> Jwk:
    """The public key with this thumbprint. The server lists it, and cannot replace it unnoticed."""
    for one in caller.host.session.api.get("/v1/me/keys").value:
        public = jwk(canonical.from_base64url(one["x"], 32))
        if _kid(public) == kid:
            return public
    raise CommandError("not-a-key", f"your account has no key {kid}: sign in on the other device first")


class GamesToActIn(NamedTuple):
    """The games in which to act, and the errors of those that cannot be read."""

    players: list[Player]
    failed: list[dict[str, Any]]


def _players(caller: Caller, games: tuple[str, ...], wanted: Callable[[Player], bool]) -> GamesToActIn:
    """The wanted ones of the named games, or of all unfinished games in which our key may sign."""
    if games:
        return GamesToActIn(list(filter(wanted, [recovery_acts.read(caller, caller.game(game)) for game in games])), [])
    found = GamesToActIn([], [])
    for game in caller.host.games():
        try:
            player = recovery_acts.read(caller, game)
            if not player.table.is_over and player.seat is not None and wanted(player):
                found.players.append(player)
        except Exception as error:  # noqa: BLE001 - bugs are raised again
            found.failed.append(recovery_acts.not_done(game, error))
    return found


def _has(player: Player, kid: str) -> bool:
    return any(one is not None and one.public(kid) is not None for one in player.table.occupants)


def _signs(player: Player, kid: str) -> bool:
    """May the key sign for our own seat?"""
    occupant = player.table.occupants[player.own_seat()]
    return occupant is not None and occupant.public(kid) is not None


def _sign(
    caller: Caller, found: GamesToActIn, question: str, kid: str, act: recovery_acts.ActInGame, *, yes: bool
) -> list[dict[str, Any]] | None:
    """Ask for confirmation, then act in each game: the entry or the error of each. None if nothing was signed."""
    if not caller.sure(question.format(kid, count(len(found.players), "game")), yes=yes):
        say("Nothing was signed.")
        return None
    done = recovery_acts.act_in(caller, found.players, act) + found.failed
    caller.answer({"done": done}, lambda: recovery_acts.show(done))
    return done


def _let_in(caller: Caller, kid: str) -> None:
    """Also approve the key for the account. That works within ten minutes; a later key still signs for seats."""
    known = next(one for one in caller.host.session.api.get("/v1/me/keys").value if one["kid"] == kid)
    if known["counts"]:
        return
    try:
        session.approve_key(caller.host.session, kid, caller.host.key)
    except ApiError as no:
        caller.warn(
            f"the key signs for your seats now, and for the account in seven days ({no.code}). "
            "To approve it sooner, sign in again on the other device and add its key within ten minutes."
        )


def _forget(caller: Caller, kid: str) -> None:
    """Remove the key at once if this machine's key counts for the account, otherwise in seven days."""
    try:
        session.forget_key(caller.host.session, kid, caller.host.key)
    except ApiError as no:
        if no.code != "new-key":
            raise
        made = caller.host.session.api.post("/v1/me/waiting", {"act": "drop-key", "about": kid}).value
        caller.warn(f"this machine's key is not approved for the account yet, so {kid} is removed on {made['due_at']}")
