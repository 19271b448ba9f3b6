"""The Chromium for the tests of pages: this machine's, or the one that `CHROMIUM` names."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "google-chrome-stable")
MISSING = "Chromium is not installed here (Debian: apt-get install chromium; CHROMIUM names another program)"


def path() -> str | None:
    """The program; None if there is none."""
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


def flaw() -> str | None:
    """Why the requested tests of the pages cannot run; None if they can."""
    if (named := os.environ.get("CHROMIUM")) and path() is None:
        return f"CHROMIUM names {named}, which is not a program that can be started"
    return MISSING if os.environ.get("NEED_CHROMIUM") and path() is None else None
