"""`sealedmove variables`: every environment variable, as the table in docs/operate.md."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from importlib.resources import files
from typing import Any

import click

from server.kernel.config import Settings

HEAD = "| variable | real deployment | default | meaning |\n|---|---|---|---|\n"


@click.command()
def main() -> None:
    """Print every environment variable with its default and meaning, as a table in Markdown."""
    click.echo(table(), nl=False)


def table() -> str:
    known = tomllib.loads((files("server.operate") / "variables.toml").read_text("utf-8"))
    rows = (
        f"| `{name}` | {one.get('set', 'no')} | {_default(name, one)} | {one['meaning']} |"
        for name, one in known.items()
    )
    return HEAD + "".join(f"{row}\n" for row in rows)


def _default(name: str, told: dict[str, Any]) -> str:
    if "default" in told:
        return str(told["default"])
    field = {one.name: one for one in fields(Settings)}[name.removeprefix("SEALEDMOVE_").lower()]
    if not isinstance(field.default, str | int | float) or field.default == "":
        return "none"
    return f"`{field.default:g}`" if isinstance(field.default, float) else f"`{field.default}`"
