"""The command `openapi`: the API's document as the committed file, and changes that would break clients."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from server.http.app import create_app
from server.http.document.breaking_changes import bare, breaking
from server.kernel.config import Settings


@click.command()
@click.option("--check", is_flag=True, help="Only check whether the file is out of date or would break a client.")
@click.option("--release", is_flag=True, help="Also make it the released document, with which later ones are compared.")
@click.argument("path", type=click.Path(path_type=Path), default=Path("openapi/openapi.json"))
def openapi(check: bool, release: bool, path: Path) -> None:
    """Write the API's document, or check that the committed one is up to date and breaks no released client."""
    made, released = document(), path.with_name("released.json")
    if not check:
        path.write_text(made, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != made:
        raise click.ClickException(f"{path} is out of date: run `make openapi` and commit it")
    if release:
        released.write_text(json.dumps(bare(json.loads(made)), sort_keys=True) + "\n", encoding="utf-8")
    elif check and released.exists():
        _say_what_breaks(json.loads(released.read_text("utf-8")), json.loads(made))


def _say_what_breaks(released: dict[str, Any], made: dict[str, Any]) -> None:
    found = breaking(released, made)
    if found:
        lines = "\n  ".join(found)
        raise click.ClickException(
            f"a client of the last released document would break (openapi/README.md):\n  {lines}"
        )


def document() -> str:
    """The API's document. It contains no secret and needs no database, so any settings will do."""
    settings = Settings(master=bytes(32), database_url="sqlite:///never-opened", public_url="http://127.0.0.1:8000")
    made = create_app(settings).extensions["api"].document
    return json.dumps(made, indent=1, sort_keys=True) + "\n"
