"""Whole games of Discoveries and Livingstone in the browser."""

import pytest

from tests.browser.whole_game import from_signing_in_to_the_end


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("key", ["discoveries", "livingstone"])
def test_a_whole_game_from_signing_in_to_the_end(key, site, visit, tmp_path):
    from_signing_in_to_the_end(key, site, visit, tmp_path)
