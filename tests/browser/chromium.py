"""The Chromium of this machine, driven by Playwright, which downloads none."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psutil
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from tests.browser import program

# No requests except to the server under test, no imitated graphics processor. No flag may weaken a page's restrictions.
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-gpu",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
)
PATIENCE = 60.0  # seconds; closing takes a hundredth of one


class Chromium:
    """One browser; another one after it hung and was killed.

    Chromium 156 once did not answer for ten minutes when it was asked to close a page. No test is about that, so it
    ends in a warning.
    """

    def __init__(self, launch: Callable[[], Browser]) -> None:
        self._launch = launch
        self._browser = launch()

    @property
    def contexts(self) -> list[BrowserContext]:
        return self._browser.contexts

    def new_context(self, **options: Any) -> BrowserContext:
        return self._running().new_context(**options)

    def new_page(self, **options: Any) -> Page:
        return self._running().new_page(**options)

    def _running(self) -> Browser:
        if not self._browser.is_connected():
            self._browser = self._launch()
        return self._browser

    def close(self) -> None:
        self._browser.close()

    def end(self, context: BrowserContext, patience: float = PATIENCE) -> None:
        """Close it; if that takes longer than `patience` seconds, kill the browser."""
        killed = threading.Event()

        def kill() -> None:
            killed.set()
            for one in psutil.Process().children(recursive=True):
                if "chrom" in one.name():
                    one.kill()

        timer = threading.Timer(patience, kill)
        timer.start()
        try:
            context.close()
        except Error:
            if not killed.is_set() and self._browser.is_connected():
                raise
        finally:
            timer.cancel()
        if killed.is_set():
            with warnings.catch_warnings():
                warnings.simplefilter("always")
                warnings.warn("Chromium hung while it closed a page, and was killed", stacklevel=2)


@contextmanager
def running(path: str | None = None) -> Iterator[Chromium]:
    """One browser, of the program at `path` if given. As root, which means in a container, it has no sandbox."""
    flags = [*FLAGS, *([] if os.geteuid() else ["--no-sandbox"])]
    with sync_playwright() as playwright:
        launch = playwright.chromium.launch
        browser = Chromium(lambda: launch(executable_path=path or program.path(), args=flags))
        try:
            yield browser
        finally:
            for context in browser.contexts:
                browser.end(context)
            browser.close()
