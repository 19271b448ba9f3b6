"""`sealedmove compare A B ...`: compare several people's copies of a game, to see whether all have one history."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from client import consistency, game_sources
from client.commands.server_keys import CANNOT, known_server, server_options, unreadable_exits
from client.consistency import Comparison, NoteKeys, Side, Signer
from client.game_sources import GameCopy
from client.input_files import UnreadableError
from engine.kit import count

FORK = 1
SHOWN = 240
PROVES = {
    "server": "Both are signed with the server's key: the server has shown two histories of one game.",
    "one-key": "Both are signed with one key: its holder has signed two histories of one game. "
    "Check with --server whether it is the server's.",
    "nothing": "They are not both signed with a key of the server, so this does not prove that the server has "
    "shown both.",
}


@click.command()
@click.argument("paths", metavar="A B ...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, with whole lines.")
@server_options
@click.pass_context
def main(
    ctx: click.Context, paths: tuple[Path, ...], as_json: bool, server: Path | None, server_key: bytes | None
) -> None:
    """Compare several people's copies of a game's log.

    Each of A B ... is a bundle, a checkpoint, a saved mail with checkpoints, a page of the log, or the folder in which
    a client keeps a game. Every two of them are the same, or one continues the other, or they are a fork, or they
    have no entry in common.

    \b
    Exit 0: no two contradict each other.
         1: a fork. The report names the two lines that prove it and their signers.
         2: a file cannot be read, or there is only one thing to compare.
    """  # noqa: D301 - makes click keep the lines as they are
    with unreadable_exits(ctx):
        known = known_server(server, server_key)
    sources, unreadable = _read_sources(paths)
    keys = NoteKeys(known, sources)
    compared = consistency.compare_all(sources, keys)
    if as_json:
        failed = [{"name": str(error.path), "why": error.why} for error in unreadable]
        click.echo(json.dumps({**consistency.to_json(sources, keys, compared), "unreadable": failed}, indent=2))
    else:
        click.echo("\n".join(_report(sources, keys, compared)))
        for error in unreadable:
            click.echo(f"Error: {error}", err=True)
    ctx.exit(_exit(compared, unreadable))


def _read_sources(paths: Sequence[Path]) -> tuple[list[GameCopy], list[UnreadableError]]:
    sources: list[GameCopy] = []
    unreadable: list[UnreadableError] = []
    for path in paths:
        try:
            sources += game_sources.sources_in(path)
        except UnreadableError as error:
            unreadable.append(error)
    return sources, unreadable


def _exit(compared: Sequence[Comparison], unreadable: Sequence[UnreadableError]) -> int:
    if any(pair.relation == "fork" for pair in compared):
        return FORK
    return CANNOT if unreadable or not compared else 0


# --- in words ---------------------------------------------------------------------------------------------------------


def _report(sources: Sequence[GameCopy], keys: NoteKeys, compared: Sequence[Comparison]) -> Iterator[str]:
    game = ""
    for source in sorted(sources, key=_game):
        if _game(source) != game:
            game = _game(source)
            yield game
        yield f"  {source.name}: {source.what}, {_signed(source, keys.signers(source))}"
    yield ""
    for pair in compared:
        if pair.relation == "fork":
            yield from _fork(pair)
    yield from (text for pair in compared if (text := _relation(pair)))
    yield from _rest(compared)


def _game(source: GameCopy) -> str:
    return f"{source.holding.server}/game/{source.holding.game}"


def _signed(source: GameCopy, signers: Sequence[Signer]) -> str:
    if not source.notes:
        return "without a checkpoint"
    return _by(signers) or "its checkpoint is not signed with any key known here"


def _by(signers: Sequence[Signer]) -> str:
    return " and ".join(f"signed with {one.key}, {_known(one)}" for one in signers)


def _known(signer: Signer) -> str:
    return "a key that you gave" if signer.named_by is None else f"the key that {signer.named_by} names"


def _relation(pair: Comparison) -> str:
    one, other = pair.first, pair.second
    if pair.relation == "same":
        return f"{one} and {other}: the same, {count(pair.agree, 'entry', 'entries')}."
    if pair.relation == "continues":
        one, other = other, one
    if pair.relation in ("continues", "continued"):
        return (
            f"{one} continues {other}: the same for {count(min(pair.sizes), 'entry', 'entries')} of {max(pair.sizes)}."
        )
    if pair.relation == "unknown" and pair.agree:
        return (
            f"{one} and {other}: the same for {count(pair.agree, 'entry', 'entries')}; after that, not both are known."
        )
    return ""


def _rest(compared: Sequence[Comparison]) -> Iterator[str]:
    """Name the pairs without a finding, or count them if there are many."""
    strange = [pair for pair in compared if pair.relation == "other-game"]
    unknown = [pair for pair in compared if pair.relation == "unknown" and not pair.agree]
    if strange:
        yield f"{_which(strange)} of different games."
    if unknown:
        yield f"{_which(unknown)} of one game but have no entry in common, so they cannot contradict each other."
    if not compared:
        yield "There is nothing to compare it with."


def _which(some: Sequence[Comparison]) -> str:
    if len(some) > 1:
        return f"{len(some)} pairs are"
    return f"{some[0].first} and {some[0].second} are"


def _fork(pair: Comparison) -> Iterator[str]:
    assert pair.proof is not None
    assert pair.proves is not None
    seq = pair.proof[0].seq
    yield f"{pair.first} and {pair.second}: A FORK. Two logs of {count(seq + 1, 'entry', 'entries')} end differently."
    yield from (line for side in pair.proof for line in _side(side))
    yield PROVES[pair.proves]
    yield ""


def _side(side: Side) -> Iterator[str]:
    kind = {"note": "a checkpoint names its hash", "prev": "the entry after it names its hash"}.get(
        side.kind, side.kind
    )
    yield f"  {side.name}: entry {side.seq} ({kind}), hash {side.hash}"
    yield f"    {_by(side.signers) or 'not signed with any key known here'}"
    text = side.text if side.kind == "note" or len(side.text) <= SHOWN else f"{side.text[:SHOWN]}... (all with --json)"
    yield from (f"    {line}" for line in text.splitlines())
