"""A test that leaves something open fails; later tests do not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.patience import PATIENCE

ROOT = Path(__file__).parents[2]
ALONE = os.environ | {"PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # plugins take a second to import
RULES = "from tests.kit.left import _file_leaves_nothing_open, _logging_is_as_before, _test_leaves_nothing_open\n"
FORGETS = {
    "a socket": "import socket\n\ndef test_it():\n    held = [socket.socket()]\n    held.append(held)\n",
    "a transport": """
import asyncio
import socket

def test_it():
    loop = asyncio.new_event_loop()
    near, far = socket.socketpair()
    loop.run_until_complete(loop.create_connection(asyncio.Protocol, sock=near))
    loop.close()
    far.close()
""",
    "a process": """
import subprocess

def test_it():
    held = [subprocess.Popen(['sleep', '1'])]
    held.append(held)
""",
}
NEXT = "\n\ndef test_next():\n    pass\n"


def told(folder, text):
    """Return the output of pytest for a file under the rules of this suite."""
    (folder / "conftest.py").write_text(RULES)
    (folder / "test_first.py").write_text(text + NEXT)
    (folder / "test_second.py").write_text(NEXT)
    command = [sys.executable, "-m", "pytest", "-q", "-Werror", "-p", "no:cacheprovider", "--rootdir", folder, folder]
    return subprocess.run(command, cwd=ROOT, env=ALONE, capture_output=True, text=True, timeout=PATIENCE).stdout


@pytest.mark.parametrize("what", ["a socket", "a transport"])
def test_the_test_that_leaves_something_open_fails_in_its_teardown(tmp_path, what):
    """The tests after it pass."""
    said = told(tmp_path, FORGETS[what])
    assert "/test_first.py::test_it" in said
    assert "3 passed, 1 error" in said


def test_the_last_test_of_a_file_fails_for_a_process_that_the_file_leaves_running(tmp_path):
    said = told(tmp_path, FORGETS["a process"])
    assert "/test_first.py::test_next" in said
    assert "3 passed, 1 error" in said


def test_logging_is_reset(tmp_path):
    """Its level, also of a new logger, its stream, and the request that a test's last line was about."""
    text = """
import io
import logging
import sys
from structlog import contextvars

def test_it():
    contextvars.bind_contextvars(request="one")
    handler = logging.StreamHandler(io.StringIO())
    handler.is_ours = True
    logging.root.addHandler(handler)
    logging.getLogger("new").setLevel("DEBUG")

def test_after():
    assert logging.getLogger("new").level == 0
    [handler] = [one for one in logging.root.handlers if getattr(one, "is_ours", False)]
    assert handler.stream is sys.stderr
    assert contextvars.get_contextvars() == {}
"""
    assert "4 passed" in told(tmp_path, text)
