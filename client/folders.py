"""The folder in which this machine keeps a person's files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote


def folder_of(env: Mapping[str, str] = os.environ) -> Path:
    """`SEALEDMOVE_HOME`, else `~/.sealedmove`; RuntimeError if there is no home directory."""
    given = env.get("SEALEDMOVE_HOME")
    return Path(given) if given else Path.home() / ".sealedmove"


def games_of(home: Path, server: str) -> Path:
    """What is kept of the games of a server, and of its keys."""
    return home / "hosts" / quote(server, safe="") / "games"
