"""A browser that hangs ends no run: it is killed, and the next page has another one."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.browser import chromium
from tests.kit.patience import PATIENCE

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


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


FAILS = """
def test_fails(visit):
    page = visit()
    page.route("http://a.example/**", lambda route: route.abort("connectionrefused"))
    page.set_content("<script>console.log('before it')</script><img src='http://a.example/b.png'>")
    assert False
"""


def test_a_failure_is_reported_with_what_its_pages_said(tmp_path):
    made = tmp_path / "test_made.py"
    made.write_text(FAILS)
    words = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-p", "tests.browser.conftest", "-n", "0"]
    run = [sys.executable, "-m", "pytest", *words, "-p", "no:cacheprovider", str(made)]
    said = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE).stdout
    assert "log: before it" in said, said
    assert "failed: http://a.example/b.png net::ERR_CONNECTION_REFUSED" in said
