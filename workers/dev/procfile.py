"""Reads a Procfile: lines of `name: command`, as Heroku, Foreman and Honcho know them."""

import re
import shlex

# The processes that `sealedmove run` starts. A wheel has no Procfile; the repository's has the same lines.
OURS = """\
web: gunicorn --config python:server.operate.gunicorn "server.http.app:create_app()"
house: sealedmove house
mail: sealedmove mailbox
redis: sealedmove redis
"""
LINE = re.compile(r"([A-Za-z0-9_-]+):\s*(\S.*)")


def parse(text: str) -> dict[str, list[str]]:
    """Name to command, in the order of the file; empty lines and `#` lines are skipped, any other is a ValueError."""
    commands: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = LINE.fullmatch(line.rstrip())
        if found is None or found[1] in commands:
            message = f"Procfile line {number}: expected a new 'name: command', found {line!r}"
            raise ValueError(message)
        commands[found[1]] = shlex.split(found[2])
    return commands
