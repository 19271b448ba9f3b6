"""`sealedmove login`: sign in by a mailed link or a code, and register this machine's key. There are no passwords."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import click

from client import device, session
from client.commands.base import USAGE, Caller, CommandError, command, with_caller
from client.home import Account, Host, NotSignedInError
from client.session import Session
from client.terminal import columns, say

_TOKEN = re.compile(r"[A-Za-z0-9_.~-]{16,256}")
_SITE = re.compile(r"https?://[^/\s]+(?=/login/)")


@command()
@click.argument("email", required=False)
@click.option("--name", help="Your name for other players; a new account needs one.")
@click.option(
    "--link",
    metavar="LINK",
    help="The link from the email, or the part after /login/; - reads it from standard input.",
)
@click.option("--device", "by_code", is_flag=True, help="Show a code to type in a browser that is signed in.")
@click.option("--list", "listing", is_flag=True, help="Show the servers at which this machine is signed in.")
@with_caller
def main(caller: Caller, email: str | None, name: str | None, link: str | None, by_code: bool, listing: bool) -> None:
    """Sign in: paste the link that is mailed to EMAIL, or type a code in a browser with --device.

    A script makes two calls: `login EMAIL --at https://SERVER` requests the mail, `login --link -` reads the link. The
    token is kept in ~/.sealedmove (SEALEDMOVE_HOME), readable by you alone.
    """
    if listing:
        _list(caller)
        return
    if by_code:
        _use_code(caller, email or link)
        return
    if email is None and link is None:
        raise click.UsageError("give your email address, or --link with the link from the email")
    link = sys.stdin.read() if link == "-" else link
    url = _url(caller, link)
    _check_way(caller, url)
    if email is not None and link is None:
        session.request_link(caller.home.api(url), email, name or _name(caller, email))
        if not caller.may_ask:
            caller.answer({"asked": email, "server": url}, lambda: say(f"A link is on its way to {email}."))
            return
        say(f"A link is on its way to {email}. It works once, for half an hour.")
        link = click.prompt("Paste the link, or the part after /login/")
    _use(caller, url, link or "")


def _name(caller: Caller, email: str) -> str | None:
    """The name for a new account; an existing account keeps its own."""
    usual = email.partition("@")[0][:40]
    if not caller.may_ask:
        return usual
    return str(click.prompt("Your name at the table, if you are new here", default=usual))


def _url(caller: Caller, link: str | None) -> str:
    """The server that is named, or that of the link, or the last one."""
    found = _SITE.search(link or "")
    given = caller.at or (found[0] if found else None)
    if given is None or "://" not in given:
        try:
            return caller.home.host(given).account.url
        except NotSignedInError:
            raise CommandError("no-server", "name the server: --at https://games.example", USAGE) from None
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise click.UsageError("write the whole address: --at https://games.example")
    return f"{parts.scheme}://{parts.netloc}"


def _check_way(caller: Caller, url: str) -> None:
    """Refuse a remote server without encryption: anyone on the network could read the token."""
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
        caller.warn(f"{url} is not encrypted: anyone on the network could read your token and act for you")


def _use(caller: Caller, url: str, link: str) -> None:
    token = session.token_in(link) or (link.strip() if _TOKEN.fullmatch(link.strip()) else None)
    if token is None:
        raise CommandError("bad-link", "the text contains no sign-in link")
    _keep(caller, url, session.confirm(caller.home.api(url), token, _machine()))


def _use_code(caller: Caller, more: str | None) -> None:
    """Sign in by the code; without the scope `account` this machine's key is not registered."""
    if more is not None:
        raise click.UsageError("--device needs neither an email address nor a link: only --at https://SERVER")
    url = _url(caller, None)
    _check_way(caller, url)
    api = caller.home.api(url)
    asked = device.begin(api, _machine())
    caller.warn(f"Open {asked.url} in a browser, sign in, and type the code {asked.user_code} within ten minutes.")
    found = device.wait(api, asked)
    if "account" not in found.scopes:
        caller.warn("Without permission to change your account this machine has no key there: it can only look.")
    _keep(caller, url, found.session, has_key="account" in found.scopes)


def _machine() -> str:
    return f"sealedmove on {platform.node() or 'a machine'}"[:40]


def _keep(caller: Caller, url: str, made: Session, *, has_key: bool = True) -> None:
    host = caller.home.remember(Account(url, made.api.token or "", made.account, made.name))
    if has_key:
        session.register_key(made, host.key)
    caller.answer(_value(host), lambda: _print_account(host))


def _value(host: Host) -> Mapping[str, Any]:
    held = host.account
    return {"server": held.url, "account": held.account, "name": held.name, "key": host.key.kid}


def _print_account(host: Host) -> None:
    say(f"Welcome, {host.account.name}. You are signed in at {host.account.url}.")
    say(f"This machine signs with the key {host.key.kid}")
    say("Next: `sealedmove games` lists your games, `sealedmove games --open` those that you may join.")


def _list(caller: Caller) -> None:
    found = [_value(host) for host in caller.home.hosts()]
    rows = [[one["server"], one["name"], one["key"]] for one in found]
    caller.answer(found, lambda: columns(rows, ("server", "name", "this machine's key")))
