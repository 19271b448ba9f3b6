"""What several tests of the client begin with."""

import pytest

from .people import behind_proxy


@pytest.fixture
def sit(tmp_path):
    """A house of the game of this key with a proxy before it, and two players who reach it through that."""
    return lambda key: behind_proxy(tmp_path, key)
