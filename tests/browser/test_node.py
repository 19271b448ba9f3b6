"""The laws of the pages' scripts that need no page, each file of `node/` as one test; and their types."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import types
from tests.generated import tools

FILES = sorted((Path(__file__).parent / "node").glob("*.test.mjs"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.partition(".")[0])
def test_laws(path):
    """All that the file says holds in the node of the lock."""
    done = tools.node("--test", "--test-reporter=spec", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", path)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_types():
    """Every script of a page keeps the types that it names."""
    assert not types.check()
