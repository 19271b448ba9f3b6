"""Words in pictures fit into their room."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kit import ems, fitting

# How wide letters and names are in DejaVu Sans Bold, in ems: measured in the font.
MEASURED = {"A": 0.774, "I": 0.372, "M": 0.995, "Q": 0.850, "W": 1.103, "a": 0.675, "i": 0.343, "m": 1.042, "t": 0.478}
MEASURED |= {" ": 0.348, "8": 0.696, "&": 0.872, "r": 0.493, "\u2026": 1.0}
MEASURED |= {"ДМИТРИЙ ИВАНОВИЧ": 12.63, "Жужанна Щербакова": 12.72, "Ünal Çelik-Öztürk": 9.85, "Łukasz Żółć": 6.6}


@given(st.text(), st.floats(1, 500), st.floats(1, 40), st.booleans())
def test_words_fit_into_their_room(words: str, room: float, most: float, bold: bool):
    """They are as large as possible."""
    size = fitting(words, room, most, bold=bold)
    wide = ems(words, bold=bold)
    assert size <= most
    assert wide * size <= room * 1.000001
    assert size > most - 0.11 or wide * (size + 0.11) > room


@pytest.mark.parametrize("words", MEASURED)
def test_no_text_is_wider_than_its_estimate(words: str):
    """Letters of ASCII one by one, others in names."""
    assert ems(words, bold=True) >= MEASURED[words]
