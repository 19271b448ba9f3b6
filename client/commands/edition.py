"""`sealedmove edition new|check GAME FILE`: component data of your own, such as the printed cards of a game that you
own.

Exit 0: the file is good. 1: it is not, or cannot be read or written; the message says why and at which card.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from engine import registry
from engine.errors import Refused
from engine.game import Game
from engine.kit import as_ascii
from engine.record.encoding import canonical
from engine.record.log.options import MOST_EDITION, data_hash

_AT_ITEM = re.compile(r"\$\.(\w+?)s\[(\d+)\]")


@click.group()
def main() -> None:
    """Write an edition to start from, or check one before you open a table with it.

    Letters with accents are allowed in the file. An edition is sent as `edition` in POST /v1/games.
    """


@main.command()
@click.argument("key", metavar="GAME")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
def new(key: str, path: Path) -> None:
    """Write the house edition of a game to FILE as a start for your own. An existing file is never replaced."""
    game = _with_editions(key)
    plain = msgspec.to_builtins(_house(game))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write("\n".join(_lines(plain)) + "\n")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}") from None
    click.echo(f"{path} has the edition '{plain['name']}'. Rename it, change it, and check it.")


@main.command()
@click.argument("key", metavar="GAME")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
def check(key: str, path: Path) -> None:
    """Check whether a game can be created with this file, and print the hash that its record will have."""
    game = _with_editions(key)
    edition = _convert(game, _plain(path))
    data = canonical.dumps(edition)
    if edition == _house(game):
        raise click.ClickException(f"{path} is the house edition: leave it out when you create a game")
    if len(data) > MOST_EDITION:
        raise click.ClickException(f"{path} takes {len(data)} bytes in the record; the limit is {MOST_EDITION}")
    click.echo(f"{path} is a valid edition '{edition.name}' of {game.meta.title}: {len(data)} bytes of {MOST_EDITION}.")
    click.echo(f"Its hash in the record will be {data_hash(data)}.")


def _with_editions(key: str) -> Game[Any]:
    try:
        game = registry.find(key)
    except Refused as no:
        raise click.ClickException(f"there is no game {key}. The games are: {', '.join(registry.games())}") from no
    if "edition" not in game.meta.options.__struct_fields__:
        raise click.ClickException(f"{key} has no editions")
    return game


def _house(game: Game[Any]) -> Any:
    options: Any = game.meta.options()
    return options.edition


def _lines(plain: dict[str, Any]) -> Iterator[str]:
    """Format JSON with a line for each item of a list, so that a person can edit it."""
    members = list(plain.items())
    yield "{"
    for at, (name, value) in enumerate(members):
        comma = "," * (at < len(members) - 1)
        if isinstance(value, (list, tuple)):
            items = [json.dumps(item, ensure_ascii=False) for item in value]
            yield f"  {json.dumps(name)}: ["
            yield ",\n".join(f"    {item}" for item in items)
            yield f"  ]{comma}"
        else:
            yield f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}{comma}"
    yield "}"


def _plain(path: Path) -> Any:
    """The file's JSON in a form that the record can hold."""
    try:
        text = path.read_text("utf-8")
        return as_ascii(json.loads(text))
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise click.ClickException(f"{path} is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{path} is not JSON: {error}") from None


def _convert(game: Game[Any], plain: Any) -> Any:
    try:
        options: Any = msgspec.convert({"edition": plain}, game.meta.options)
    except msgspec.ValidationError as no:
        raise click.ClickException(_with_place(str(no))) from None
    return options.edition


def _with_place(reason: str) -> str:
    """The place of an error, counted from 1: `card 37: the effect ...`."""
    reason = reason.replace("`", "'").replace("$.edition", "$")
    place = _AT_ITEM.search(reason)
    return f"{place[1]} {int(place[2]) + 1}: {reason}" if place else reason
