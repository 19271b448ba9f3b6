"""The folder in which this machine keeps a person's files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path


def make_private(folder: Path) -> None:
    """Make the folder and those above it that are missing; only their owner may look into them."""
    missing = takewhile(lambda one: not one.exists(), (folder, *folder.parents))
    for one in reversed(list(missing)):
        one.mkdir(exist_ok=True, mode=0o700)


def folder_of(env: Mapping[str, str] = os.environ) -> Path:
    """`SEALEDMOVE_HOME`, else `~/.sealedmove`; RuntimeError if there is no home directory."""
    given = env.get("SEALEDMOVE_HOME")
    return Path(given) if given else Path.home() / ".sealedmove"
