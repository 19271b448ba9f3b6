"""The folder in which this machine keeps a person's files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def folder_of(env: Mapping[str, str] = os.environ) -> Path:
    """`SEALEDMOVE_HOME`, else `~/.sealedmove`; RuntimeError if there is no home directory."""
    given = env.get("SEALEDMOVE_HOME")
    return Path(given) if given else Path.home() / ".sealedmove"
