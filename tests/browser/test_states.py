"""The command that photographs the states of the play screen; its other states take a whole game."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from tests.browser import states

pytestmark = pytest.mark.slow


def test_a_state_is_photographed_in_both_palettes(site, browser, tmp_path):
    """As large as the window; the board changes its colours with the page."""
    state, page = next(states.states(site, browser, "livingstone", tmp_path))
    states.photograph(page, tmp_path / "pictures", f"livingstone-{state}", [360])
    page.context.close()
    files = sorted((tmp_path / "pictures").iterdir())
    assert [file.stem for file in files] == [f"livingstone-1-your-turn-360-{scheme}" for scheme in ("dark", "light")]
    dark, light = (Image.open(file).convert("RGB") for file in files)
    assert dark.size == light.size == (360, 740)
    assert ImageChops.difference(dark, light).getbbox() is not None
