"""Operator commands for house players: bot accounts for which the operator is responsible.

To play for one, `sealedmove players` needs a file with a token, `FOLDER/ID/account`, readable only by its owner. It
makes the signing key beside that file; the key never reaches the server.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import click
import msgspec

from server.accounts.bots import write as bots
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.operate import startup
from server.operate.actor import acting

# Members of the expedition of 1804 to 1806 up the Missouri, and people in its journals.
NAMES = (
    "Clark", "Drouillard", "Field", "Floyd", "Gass", "Gibson", "Labiche", "Lewis", "Ordway", "Pryor", "Sacagawea",
    "Shannon", "Shields", "Weiser", "Whitehouse", "Willard", "Windsor", "York",
)  # fmt: skip
LEVELS = ("easy", "fair", "strong")  # a game without one of these uses the nearest level that it has
FOLDER = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))


def _level(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    if not re.fullmatch("[a-z]{1,10}", value):
        raise click.BadParameter("a level is a word of at most ten lower-case letters")
    return value


@click.group()
def main() -> None:
    """Add, list and remove house players."""


@main.command()
@click.argument("name")
@click.option("--level", required=True, callback=_level, help="easy, fair, strong, or a word of your own.")
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    help="Save its token in this folder, for `sealedmove players`, instead of printing it.",
)
@acting()
def add(name: str, level: str, into: Path | None, by: Operator) -> None:
    """Make a house player NAME and print its token, or save it for `sealedmove players`."""
    if into is not None:
        _check_writable(into)
    with startup.operator_services() as services:
        number, token = bots.create_house(services, by, name, level)
        if into is not None:
            _keep(services, into, number, name, level, token)
    _print_token({"id": number, "name": name, "level": level} | ({} if into else {"token": token}))


@main.command(name="list")
def list_() -> None:
    """List the house players, one JSON object per line."""
    with startup.operator_services() as services:
        for one in bots.house_players(services):
            _print_token(one)


@main.command()
@click.argument("number", type=int, metavar="ID")
@acting()
def remove(number: int, by: Operator) -> None:
    """Delete a house player. Its games continue, with default moves at its seats."""
    with startup.operator_services() as services:
        bots.erase_house(services, by, number)
    _print_token({"id": number, "erased": True})


@main.command()
@FOLDER
@click.option(
    "--each", type=click.IntRange(1, 6), default=4, show_default=True, help="Number of players of each level."
)
@click.option("--replace-tokens", is_flag=True, help="Replace tokens in use that are not in FOLDER.")
@acting()
def fill(folder: Path, each: int, replace_tokens: bool, by: Operator) -> None:
    """Make the missing house players of every level, and save the tokens of all of them in FOLDER."""
    _check_writable(folder)
    with startup.operator_services() as services:
        there = bots.house_players(services)
        missing = [one for one in there if not _path(folder, one["id"]).exists()]
        if not replace_tokens:
            _check_unused(folder, missing)
        for one in missing:
            token = bots.rotate_house(services, by, one["id"])
            _keep(services, folder, one["id"], one["name"], one["level"], token)
        names = [name for name in NAMES if name not in {one["name"] for one in there}]
        for level in LEVELS:
            for _ in range(each - sum(one["level"] == level for one in there)):
                name = names.pop(0) if names else level.title()
                number, token = bots.create_house(services, by, name, level)
                _keep(services, folder, number, name, level, token)
        _print_token({"players": len(bots.house_players(services))})


def _check_writable(folder: Path) -> None:
    """Before anything is made: a house player whose token is not saved would be invited and never come."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with TemporaryFile(dir=folder):
            pass
    except OSError as no:
        raise click.ClickException(f"nothing can be written to {folder}: {no.strerror}") from None


def _check_unused(folder: Path, players: list[dict[str, Any]]) -> None:
    """Before any token is replaced: `sealedmove players` with another folder would lose these accounts."""
    used = ", ".join(str(one["id"]) for one in players if one["last_used_at"] is not None)
    if used:
        raise click.ClickException(
            f"{folder} has no token of the house players {used}, which have played with another one. Give the folder "
            "that has it, or add --replace-tokens: programs that play with the old tokens then lose these players."
        )


def _path(folder: Path, number: int) -> Path:
    return folder / str(number) / "account"


def _keep(services: Services, folder: Path, number: int, name: str, level: str, token: str) -> None:
    """Write the file completely or not at all."""
    path = _path(folder, number)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    held = {"url": services.settings.public_url, "token": token, "account": str(number), "name": name, "level": level}
    part = path.with_name("account.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(held))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _print_token(what: dict[str, Any]) -> None:
    click.echo(msgspec.json.encode(what).decode())
