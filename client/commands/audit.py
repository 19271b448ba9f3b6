"""`sealedmove audit FILE`: judge a game's bundle offline; the only part of the audit that reads files and prints.

Exit 0: all that the game's stage promises holds. 1: something fails or is missing. 2: it cannot be judged, because the
file is no bundle, of a later version, or of rules that this auditor does not run.
"""

from __future__ import annotations

import json
from pathlib import Path

import click

from client.beside import audit
from engine.errors import BadRecord
from engine.record import base64url
from engine.record.audit import MEANS
from engine.record.note import MAX_TEXT


def _read(path: Path, most: int) -> bytes:
    """At most one byte more than a good file has, so that no file is too large to be refused."""
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {error.strerror}") from None


def _server_key(_ctx: click.Context, _param: click.Parameter, value: str | None) -> bytes | None:
    return None if value is None else _binary(value, "a server key is 32 bytes in base64url")


def _keys(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[int, str]:
    found: dict[int, str] = {}
    for value in values:
        seat, equals, kid = value.partition("=")
        if not equals or not seat.isascii() or not seat.isdigit() or len(seat) > 3:
            raise click.BadParameter("write --key SEAT=THUMBPRINT, for instance --key 0=UDDReOZl1ip...")
        _binary(kid, "a thumbprint is 32 bytes in base64url")
        found[int(seat)] = kid
    return found


def _binary(text: str, says: str) -> bytes:
    try:
        return base64url.decode(text, 32)
    except BadRecord:
        raise click.BadParameter(says) from None


def _note(path: Path | None) -> str | None:
    return None if path is None else _read(path, MAX_TEXT).decode("utf-8", "replace")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--server-key", callback=_server_key, help="The server's public key, in base64url, as you know it.")
@click.option("--key", "keys", multiple=True, callback=_keys, help="SEAT=THUMBPRINT: the key of a player you know.")
@click.option("--note", type=click.Path(path_type=Path), help="A note that you kept: the log must continue it.")
@click.pass_context
def main(
    ctx: click.Context, file: Path, as_json: bool, server_key: bytes | None, keys: dict[int, str], note: Path | None
) -> None:
    """Judge a game's bundle, offline."""
    try:
        kept = _note(note)
        report = audit(_read(file, MEANS), server_key, keys, kept)
    except click.ClickException as error:
        error.show()
        ctx.exit(2)
    except Exception as fault:  # noqa: BLE001 - exit 1 would say that the game fails, and nobody has judged it
        click.echo(f"Error: a fault of this auditor, which has judged nothing: {type(fault).__name__}", err=True)
        ctx.exit(2)
    click.echo(json.dumps(report.to_json(), indent=2) if as_json else report.text())
    ctx.exit(report.exit)
