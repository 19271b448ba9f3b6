"""`sealedmove audit FILE`: audit a game's bundle offline. This part reads the files and prints."""

from __future__ import annotations

import json
from pathlib import Path

import click

from client import input_files
from client.commands.server_keys import CANNOT, binary32, known_server, server_options, unreadable_exits
from client.parallel_audit import audit


def _keys(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[int, str]:
    found: dict[int, str] = {}
    for value in values:
        seat, equals, kid = value.partition("=")
        if not equals or not seat.isascii() or not seat.isdigit() or len(seat) > 3 or not int(seat):
            raise click.BadParameter("write --key SEAT=THUMBPRINT; the first seat is 1: --key 1=UDDReOZl1ip...")
        binary32(kid, "a thumbprint is 32 bytes in base64url")
        found[int(seat) - 1] = kid
    return found


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@server_options
@click.option("--key", "keys", multiple=True, callback=_keys, help="SEAT=THUMBPRINT: the key of a player you know.")
@click.option(
    "--note",
    type=click.Path(path_type=Path),
    help="A checkpoint that you kept, or the saved mail with it: the log must continue it.",
)
@click.pass_context
def main(
    ctx: click.Context,
    file: Path,
    as_json: bool,
    server: Path | None,
    server_key: bytes | None,
    keys: dict[int, str],
    note: Path | None,
) -> None:
    """Judge a game's bundle, offline.

    \b
    Exit 0: holds. Everything that the game should have by now is there and correct.
         1: fails. Something is wrong or missing, or differs from what you gave.
         2: unknown. It cannot be judged: it is not a bundle, needs a newer auditor
            or rules that this one does not have, or cannot be read.
         3: open. Nothing fails, but not everything can be seen: a hidden game that is
            running, or that was cancelled without its secret.
    """  # noqa: D301 - makes click keep the lines as they are
    with unreadable_exits(ctx):
        known, kept = known_server(server, server_key), None if note is None else "\n".join(input_files.notes_in(note))
        data = input_files.read_bundle(file)
    try:
        report = audit(data, known, keys, kept)
    except Exception as fault:  # noqa: BLE001 - exit 1 would mean that the game fails, but nothing was judged
        click.echo(f"Error: a bug in this auditor; nothing was judged: {type(fault).__name__}", err=True)
        ctx.exit(CANNOT)
    click.echo(json.dumps(report.to_json(), indent=2) if as_json else report.text())
    ctx.exit(report.exit)
