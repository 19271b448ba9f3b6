"""Options that commands share: a server's keys known from elsewhere, and exit 2 for an unreadable file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from client import input_files
from client.input_files import UnreadableError
from client.pins import KnownServer
from engine.errors import BadRecord
from engine.record.encoding import canonical

CANNOT = 2
_FILE = click.Path(path_type=Path)


def server_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--server` and `--server-key`, for `known_server`."""
    document = "A kept copy of the server's document (/.well-known/sealedmove.json): the key must be one of its keys."
    key = "The server's public key as you know it, in base64url."
    command = click.option("--server-key", callback=_server_key, help=key)(command)
    return click.option("--server", type=_FILE, metavar="FILE", help=document)(command)


def known_server(document: Path | None, key: bytes | None) -> KnownServer:
    """The keys that one of the two options names, if one is given."""
    if document is not None and key is not None:
        raise click.UsageError("give either --server or --server-key, not both")
    return key if document is None else input_files.read_server(document)


@contextmanager
def unreadable_exits(ctx: click.Context) -> Iterator[None]:
    """Report a file that cannot be read, and judge nothing."""
    try:
        yield
    except UnreadableError as error:
        click.echo(f"Error: {error}", err=True)
        ctx.exit(CANNOT)


def binary32(text: str, says: str) -> bytes:
    """An option's 32 bytes in base64url."""
    try:
        return canonical.from_base64url(text, 32)
    except BadRecord:
        raise click.BadParameter(says) from None


def _server_key(_ctx: click.Context, _param: click.Parameter, value: str | None) -> bytes | None:
    return None if value is None else binary32(value, "a server key is 32 bytes in base64url")
