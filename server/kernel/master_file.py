"""Where the master of this machine may be, for the refusal of a process that was given none."""

from __future__ import annotations

from pathlib import Path


def where_to_find(made: Path) -> str:
    """How to get a master. If `make run` has made one, name it: games cannot continue with a different one."""
    try:
        is_made = made.exists()
    except OSError as no:  # in a folder of another user: a new one would perhaps not be that of its games
        return f"`make run` keeps one in {made}, which cannot be looked for: {no.strerror}"
    if is_made:
        return f"The one of `make run` is in {made}: SEALEDMOVE_MASTER=$(cat {made})"
    return "Make one with: python -c 'import secrets; print(secrets.token_hex(32))'"
