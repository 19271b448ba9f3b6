"""Operator commands of the server."""

from __future__ import annotations

import json
from pathlib import Path

import click

from server import config
from server.config import Settings
from server.db import migrate as migrations
from server.db.session import Database


@click.command()
def migrate() -> None:
    """Bring the database to the newest version."""
    database = Database(config.database_url())
    migrations.migrate(database)
    database.dispose()
    click.echo(f"{database.url.render_as_string(hide_password=True)} is up to date")


@click.command()
@click.option("--check", is_flag=True, help="Say whether the file differs, and write nothing.")
@click.argument("path", type=click.Path(path_type=Path), default=Path("openapi/openapi.json"))
def openapi(check: bool, path: Path) -> None:
    """Write the API's document, or check that the committed one is up to date."""
    made = document()
    if not check:
        path.write_text(made, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != made:
        raise click.ClickException(f"{path} is out of date: run `make openapi` and commit it")


def document() -> str:
    """The API's document. It names no secret and asks no database, so any settings will do."""
    from server.app import create_app

    settings = Settings(master=bytes(32), database_url="sqlite:///never-opened", public_url="http://127.0.0.1:8000")
    made = create_app(settings).extensions["api"].spec.to_dict()
    return json.dumps(made, indent=1, sort_keys=True) + "\n"
