"""Where the temporary files of a run lie: in memory, if there is room. Nobody then waits for a disk."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 8 * 2**30  # bytes


def has_room() -> bool:
    """Programs are started from there, too: in containers that may be forbidden."""
    if not MEMORY.is_dir() or os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(MEMORY).free > ROOM


def take() -> Path | None:
    """A new folder for all that the run and its programs put into none of their own; None if TMPDIR names one.

    What pytest keeps of the last three runs lies beside it, in pytest's folder.
    """
    if not has_room():
        return None
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    if "TMPDIR" in os.environ:
        return None
    folder = Path(tempfile.mkdtemp(prefix="sealedmove-", dir=MEMORY))
    folder.chmod(0o1777)  # PostgreSQL runs as another user
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    return folder
