"""`sealedmove certificate FILE`: one page that certifies a game whose bundle holds, as text and as SVG to print."""

from __future__ import annotations

from pathlib import Path

import click

from client import certificate, input_files
from client.commands.server_keys import CANNOT, known_server, server_options, unreadable_exits
from client.parallel_audit import audit
from client.pins import compared_with


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also draw the page to FILE, as A4 for printing.",
)
@server_options
@click.option(
    "--note",
    type=click.Path(path_type=Path),
    help="A checkpoint that you kept, or the saved email with it: the log must continue it.",
)
@click.pass_context
def main(
    ctx: click.Context, file: Path, svg: Path | None, server: Path | None, server_key: bytes | None, note: Path | None
) -> None:
    """Print a page that certifies the game in a bundle.

    The bundle is audited first, with --server, --server-key and --note as in `audit`. If it fails, there is no page.

    \b
    Exit 0: the page states `holds`.
         1: the bundle fails; its report is printed instead.
         2: the bundle cannot be judged or read.
         3: the page states `open`: the game is not over, or not everything can
            be seen.
    """  # noqa: D301 - makes click keep the lines as they are
    with unreadable_exits(ctx):
        known, kept = (
            known_server(server, server_key),
            None if note is None else "\n".join(input_files.read_notes(note)),
        )
        data = input_files.read_bundle(file)
    compared, pinned = compared_with(known, data)
    report = audit(data, compared, note=kept, pinned=pinned)
    if report.verdict in ("fails", "unknown"):
        click.echo(f"No certificate. {report.text()}", err=True)
        ctx.exit(report.exit)
    page = certificate.certify(data, report)
    click.echo(certificate.text(page), nl=False)
    if svg is not None:
        _draw(ctx, page, svg)
    ctx.exit(0 if page.verdict == "holds" else 3)


def _draw(ctx: click.Context, page: certificate.Certificate, path: Path) -> None:
    from client.certificate_svg import svg as drawn  # the text works without the code

    try:
        path.write_text(drawn(page), encoding="utf-8")
    except OSError as error:
        click.echo(f"Error: {path}: {error.strerror}", err=True)
        ctx.exit(CANNOT)
