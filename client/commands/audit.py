"""`sealedmove audit PATH`: audit a game's bundle, or a folder of them, offline. This part reads options and prints."""

from __future__ import annotations

import json
from pathlib import Path

import click

from client import input_files
from client.commands import audit_folder
from client.commands.server_keys import CANNOT, binary32, known_server, server_options, unreadable_exits
from client.parallel_audit import audit
from client.pins import KnownServer, compared_with

LIMIT = 300.0  # seconds, a thousand times what a long game takes
HELP = """Judge a game's bundle, or every file in a folder, offline.

A folder is judged on all cores. If you stop it, the same command continues.

\b
Exit 0: holds. Everything that the game should have by now is there and correct.
     1: fails. Something is wrong or missing, or differs from what you gave.
     2: unknown. It cannot be judged: it is not a bundle, needs a newer auditor
        or rules that this one does not have, or cannot be read.
     3: open. Nothing fails, but not everything can be seen: a hidden game that is
        running, or that was cancelled without its secret.
   130: stopped by Ctrl-C before every file of the folder was judged.
A folder has the first of 1, 2 and 3 that any of its files has.
"""


def _keys(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[int, str]:
    found: dict[int, str] = {}
    for value in values:
        seat, equals, kid = value.partition("=")
        if not equals or not seat.isascii() or not seat.isdigit() or len(seat) > 3 or not int(seat):
            raise click.BadParameter("write --key SEAT=THUMBPRINT; the first seat is 1: --key 1=UDDReOZl1ip...")
        binary32(kid, "a thumbprint is 32 bytes in base64url")
        found[int(seat) - 1] = kid
    return found


@click.command(help=HELP)
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@server_options
@click.option("--key", "keys", multiple=True, callback=_keys, help="SEAT=THUMBPRINT: the key of a player you know.")
@click.option(
    "--note",
    type=click.Path(path_type=Path),
    help="A checkpoint that you kept, or the saved email with it: the log must continue it.",
)
@click.option("--limit", type=click.FloatRange(min=0, min_open=True), help="Seconds for a file of a folder.")
@click.option("--state", type=click.Path(path_type=Path), help="Where the progress on a folder is kept.")
@click.pass_context
def main(
    ctx: click.Context,
    path: Path,
    as_json: bool,
    server: Path | None,
    server_key: bytes | None,
    keys: dict[int, str],
    note: Path | None,
    limit: float | None,
    state: Path | None,
) -> None:
    _check_options(path, one_game=bool(keys or note), a_folder=bool(limit or state))
    try:
        with unreadable_exits(ctx):
            known = known_server(server, server_key)
            if path.is_dir():
                run = audit_folder.Run(path, known)
                ctx.exit(audit_folder.run(run, limit or LIMIT, state, as_json=as_json))
            ctx.exit(_judge(path, known, keys, note, as_json=as_json))
    except KeyboardInterrupt:  # click would exit with 1
        click.echo("Stopped.", err=True)
        ctx.exit(audit_folder.STOPPED)
    except OSError as error:  # of the machine: a file that cannot be read has a row
        click.echo(f"Error: the audit cannot go on: {error}", err=True)
        ctx.exit(CANNOT)


def _check_options(path: Path, *, one_game: bool, a_folder: bool) -> None:
    if path.is_dir() and one_game:
        raise click.UsageError("--key and --note are about one game; audit its file alone")
    if not path.is_dir() and a_folder:
        raise click.UsageError("--limit and --state are for a folder")


def _judge(path: Path, known: KnownServer, keys: dict[int, str], note: Path | None, *, as_json: bool) -> int:
    """Judge one file, print the report, and return the exit status."""
    kept = None if note is None else "\n".join(input_files.notes_in(note))
    data = input_files.read_bundle(path)
    try:
        compared, pinned = compared_with(known, data)
        report = audit(data, compared, keys, kept, pinned=pinned)
    except Exception as fault:  # noqa: BLE001 - exit 1 would mean that the game fails, but nothing was judged
        click.echo(f"Error: a bug in this auditor; nothing was judged: {type(fault).__name__}", err=True)
        return CANNOT
    click.echo(json.dumps(report.to_json(), indent=2) if as_json else report.text())
    return report.exit
