"""`sealedmove keys box`: keep the recovery key in the account's key backup, wrapped with a code that stays on this
machine.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from client import key_backup, keys, session
from client.commands import recovery_acts
from client.commands.base import Caller, CommandError, PersonCommand, with_caller
from client.http import ApiError
from client.key_backup import KeyBackupError, WrongCodeError
from client.keys import Key
from client.terminal import say
from engine.record.encoding import canonical
from engine.record.signed.keys import Jwk, parse_jwk, thumbprint

PATH = "/v1/me/keybox"


@click.group("box")
def group() -> None:
    """The key backup: with its recovery code your next machine can play your seats if this one is lost.

    The server keeps the backup and cannot open it. The code is shown once, here, and is sent nowhere.
    """


@group.command(cls=PersonCommand)
@click.option(
    "--code",
    "old",
    metavar="-",
    help="- reads the old code from standard input, so that the new key replaces the old one at your seats.",
)
@with_caller
def save(caller: Caller, old: str | None) -> None:
    """Make a recovery key and its code, and store the key in the backup. Every seat that you take from now on uses
    it.

    If a change with the old code was interrupted or failed at some seats, run it again with the old code: it continues
    with the recovery key of the backup.
    """
    host = caller.host
    there, known_before = _fetch_backup(caller), host.recovery() is not None
    before = None if not there or old is None else _opened(caller, there, _recovery_code(old))
    current, code = host.recovery(), None
    if current is None or before is None or not _goes_on(there, before, current):
        current, code = _make_backup(caller, there)
    new = current
    seats = [] if before is None else _everywhere(caller, before, lambda one: one.replace_recovery(before, new))
    value = {"recovery": thumbprint(parse_jwk(new)), "code": code, "seats": seats}
    caller.answer(value, lambda: recovery_acts.show(seats))
    if not there and known_before:
        caller.warn("the server has no key backup of your account, so seats that you took before keep their old "
                    "recovery key: the new code does not recover them")  # fmt: skip
    if any("entry" not in one for one in seats):
        caller.warn("some seats keep the old recovery key: keep the old code, and run `sealedmove keys box save "
                    "--code -` with it again")  # fmt: skip
    recovery_acts.exit_if_failed(seats)


def _goes_on(there: list[str], before: Key, current: Jwk) -> bool:
    """Is this an earlier change that did not reach all seats? Then this machine made, and showed, the newer key."""
    return before.kid != key_backup.kid_of(there[0]) == thumbprint(parse_jwk(current))


def _make_backup(caller: Caller, there: list[str]) -> tuple[Jwk, str]:
    """A new recovery key in the backup, and its code, which is shown before anything depends on it."""
    host, made, code = caller.host, keys.make(), key_backup.new_code()
    text = key_backup.wrap(made, code, host.account.account, host.session.api.host)
    digest = canonical.to_base64url(hashlib.sha256(text.encode()).digest())
    known = {"If-Match": f'"{key_backup.kid_of(there[0])}"'} if there else {"If-None-Match": "*"}
    _show_code(caller, code)
    proof = session.prove(host.session, host.key, "box", digest)
    try:
        host.session.api.put(PATH, {"box": text, "x": made.jwk["x"]}, known | proof)
    except ApiError:  # also of the repeat of a request whose answer was lost
        if text not in _fetch_backup(caller)[:1]:
            raise
    host.keep_recovery(made.jwk)
    return made.jwk, code


@group.command("open", cls=PersonCommand)
@click.option("--code", "given", metavar="-", help="- reads the code from standard input.")
@with_caller
def open_(caller: Caller, given: str | None) -> None:
    """Approve this machine for the account, and make its key the only key of your seats, by the recovery code.

    All other keys of the seats are removed, and offers of the seats are withdrawn. This happens in every unfinished
    game that this machine knows or the server lists. The key in the backup signs that and is not kept.
    """
    there, host = _fetch_backup(caller), caller.host
    if not there:
        raise CommandError(
            "no-box",
            "your account has no key backup; if it had one, your seats keep the recovery key that was in it",
        )
    recovery = _opened(caller, there[:1], _recovery_code(given))
    session.register_key(host.session, host.key)
    session.approve_key(host.session, host.key.kid, recovery)
    host.keep_recovery(recovery.jwk)
    seats = _everywhere(caller, recovery, lambda one: one.recover(recovery))
    value = {"key": host.key.kid, "seats": seats}
    caller.answer(value, lambda: _print_opened(seats))
    recovery_acts.exit_if_failed(seats)


def _show_code(caller: Caller, code: str) -> None:
    if caller.as_json:
        click.echo(json.dumps({"code": code}), err=True)  # also in the answer, which an interrupted run does not print
    else:
        say(f"Your recovery code:\n\n    {code}\n")
        say("It is shown only once. Keep it in a place that only you have access to.")


def _print_opened(seats: list[dict[str, Any]]) -> None:
    say("This machine signs for you now.")
    recovery_acts.show(seats)


def _recovery_code(given: str | None) -> str:
    if given == "-":
        return sys.stdin.readline()
    typed: str = click.prompt("Recovery code", hide_input=True)
    return typed


def _fetch_backup(caller: Caller) -> list[str]:
    """The backup that the server keeps and those that it has replaced, newest first; empty if there is none."""
    try:
        shown = caller.host.session.api.get(PATH).value
    except ApiError as no:
        if no.code == "not-found":
            return []
        raise
    return [str(shown["box"]), *map(str, shown.get("former", ()))]


def _opened(caller: Caller, texts: Sequence[str], code: str) -> Key:
    """The recovery key in the first of these backups that the code opens."""
    host = caller.host
    try:
        for text in texts[:-1]:
            with suppress(WrongCodeError):
                return key_backup.unwrap(text, code, host.account.account, host.session.api.host)
        return key_backup.unwrap(texts[-1], code, host.account.account, host.session.api.host)
    except KeyBackupError as no:
        raise CommandError(no.code, str(no)) from None


def _everywhere(caller: Caller, recovery: Key, act: recovery_acts.ActInGame) -> list[dict[str, Any]]:
    """Act at every seat with this recovery key."""
    return recovery_acts.act_in(caller, recovery_acts.seats(caller, recovery), act)
