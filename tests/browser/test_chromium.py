"""A browser that hangs ends no run: it is killed, and the next page has another one."""

from __future__ import annotations

import signal

import psutil
import pytest

from tests.browser import chromium

pytestmark = pytest.mark.slow


def test_a_browser_that_hangs_while_it_closes_is_killed_and_launched_again(browser):
    """With a warning, since no test is about that."""
    hung = browser.new_context()
    hung.new_page()
    for one in psutil.Process().children(recursive=True):
        if "chrom" in one.name():
            one.send_signal(signal.SIGSTOP)
    with pytest.warns(UserWarning, match="Chromium hung"):
        browser.end(hung, patience=0.2)
    again = browser.new_context()
    page = again.new_page()
    page.set_content("<h1>Here</h1>")
    assert page.get_by_role("heading").inner_text() == "Here"
    browser.end(again, patience=chromium.PATIENCE)
