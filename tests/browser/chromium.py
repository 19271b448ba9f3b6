"""The Chromium of this machine, driven by Playwright, which downloads none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.browser import program

# No requests except to the server under test. No flag may weaken the restrictions on a page.
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
)


@contextmanager
def running() -> Iterator[Browser]:
    """One browser. As root, which means in a container, it has no sandbox."""
    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program.path(), args=[*FLAGS, *sandbox])
        try:
            yield browser
        finally:
            browser.close()
