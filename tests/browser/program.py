"""The Chromium for the tests of pages: this machine's, or the one that `CHROMIUM` names.

Its headless shell draws the same pages for two thirds of the processor's time, but shows no notifications.
"""

from __future__ import annotations

import os
import shutil

SHELL = "chromium-headless-shell"
WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "Chromium is not installed here (Debian: apt-get install chromium; CHROMIUM names another program)"


def path() -> str | None:
    """The program, rather the shell; None if there is none."""
    return _first(SHELL, *WHOLE)


def whole() -> str | None:
    """The whole browser, for what the shell cannot do; None if there is none."""
    return _first(*WHOLE)


def _first(*names: str) -> str | None:
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, names)), None)


def flaw() -> str | None:
    """Why the requested tests of the pages cannot run; None if they can."""
    if (named := os.environ.get("CHROMIUM")) and path() is None:
        return f"CHROMIUM names {named}, which is not a program that can be started"
    return MISSING if os.environ.get("NEED_CHROMIUM") and path() is None else None
