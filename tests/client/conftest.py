"""Fixtures of several tests of the client."""

import pytest

from .people import behind_proxy


@pytest.fixture
def sit(tmp_path):
    """A server of one game behind a proxy, and two players who reach it through the proxy."""
    return lambda key: behind_proxy(tmp_path, key)
