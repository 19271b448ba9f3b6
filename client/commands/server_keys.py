"""Options that commands share: what one knows of a server from elsewhere, and exit 2 for what cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from client import input_files
from client.input_files import UnreadableError
from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.signed.server_keys import ServerKeys

CANNOT = 2
KnownServer = ServerKeys | bytes | None
_FILE = click.Path(path_type=Path)


def server_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--server` and `--server-key`, for `known_server`."""
    document = "The server's document (/.well-known/sealedmove.json) as you kept it: the key must be one of its keys."
    key = "The server's public key, in base64url, as you know it."
    command = click.option("--server-key", callback=_server_key, help=key)(command)
    return click.option("--server", type=_FILE, metavar="FILE", help=document)(command)


def known_server(document: Path | None, key: bytes | None) -> KnownServer:
    """What the two options name, if one of them is given."""
    if document is not None and key is not None:
        raise click.UsageError("--server and --server-key say the same thing: give one of them")
    return key if document is None else input_files.read_server(document)


@contextmanager
def unreadable_exits(ctx: click.Context) -> Iterator[None]:
    """A file that cannot be read is told, and nothing is judged."""
    try:
        yield
    except UnreadableError as error:
        click.echo(f"Error: {error}", err=True)
        ctx.exit(CANNOT)


def binary32(text: str, says: str) -> bytes:
    """32 bytes in base64url, as an option gives them."""
    try:
        return canonical.from_base64url(text, 32)
    except BadRecord:
        raise click.BadParameter(says) from None


def _server_key(_ctx: click.Context, _param: click.Parameter, value: str | None) -> bytes | None:
    return None if value is None else binary32(value, "a server key is 32 bytes in base64url")
