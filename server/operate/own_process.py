"""What every process does first. It imports nothing of the server, so that a small program starts quickly."""

from __future__ import annotations

import faulthandler
import os
import sys


def prepare() -> None:
    """Make new files readable by their owner alone, and let a fatal signal leave a trace of every thread."""
    os.umask(0o077)
    faulthandler.enable(sys.__stderr__ or 2)
