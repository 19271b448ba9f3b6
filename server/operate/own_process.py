"""The first step of every process. Nothing of the server is imported here, so that small programs start quickly."""

from __future__ import annotations

import faulthandler
import os
import sys


def prepare() -> None:
    """Make new files readable by their owner alone, and let a fatal signal leave a trace of every thread."""
    os.umask(0o077)
    faulthandler.enable(sys.__stderr__ or 2)
