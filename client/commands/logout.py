"""`sealedmove logout`: end this machine's access to an account."""

from __future__ import annotations

import click

from client import session
from client.commands.base import Caller, command, with_caller
from client.home import Host
from client.http import ApiError, NoAnswerError
from client.terminal import say


@command()
@click.option("--forget", is_flag=True, help="Also delete this machine's key and its copies of games.")
@click.option("--proofs", is_flag=True, help="With --forget: also delete server keys, last checkpoints and evidence.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_caller
def main(caller: Caller, forget: bool, proofs: bool, yes: bool) -> None:
    """Sign out: revoke this machine's token and delete it here.

    Without an answer of the server, the token is only deleted here; you can then revoke it on the account page.
    The key and the games stay, so that you can go on after you sign in again. Even with --forget the keys of the server
    and the last checkpoint of each game stay: they are your only proof if the server shows another history later.
    """
    if proofs and not forget:
        raise click.UsageError("--proofs needs --forget")
    host = caller.host
    name, question = host.name, "Delete this machine's key? Your seats there will need another key."
    if forget and not caller.sure(question, yes=yes):
        say("You are still signed in.")
        return
    revoked = _revoked(caller, host)
    host.sign_out()
    if forget:
        host.forget(proofs=proofs)
    value = {"server": name, "revoked": revoked, "forgotten": forget}
    caller.answer(value, lambda: say(f"You are signed out at {name}."))


def _revoked(caller: Caller, host: Host) -> bool:
    """Did the server revoke the token? If not, a warning says so; this machine forgets it all the same."""
    try:
        session.revoke_own_token(host.session)
    except (NoAnswerError, ApiError) as no:
        caller.warn(f"The token was deleted here, but not revoked: {no}. Revoke it on your account page.")
        return False
    return True
