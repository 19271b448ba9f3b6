"""Boards and pictures to be looked at: one command writes them."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.kit.pictures import main, on_page


@pytest.mark.slow
def test_every_position_is_written_as_text_and_as_png(tmp_path: Path) -> None:
    """Seven positions, two widths, a light and a dark page; spectators' views have their own files."""
    main([str(tmp_path), "bids-2"])
    texts = sorted(tmp_path.glob("*.txt"))
    pictures = sorted(tmp_path.glob("*.png"))
    assert {path.stem.removesuffix("-anybody")[7:] for path in texts} == {
        "1-first", "2-early", "3-middle", "4-choice", "5-crowded", "6-last", "7-over",
    }  # fmt: skip
    assert len(pictures) == 4 * len(texts)
    wide = {path.name: struct.unpack(">I", path.read_bytes()[16:20])[0] for path in pictures}
    assert all(f"-{width}-" in name for name, width in wide.items())
    assert set(wide.values()) == {640, 360}


def test_a_picture_stands_on_a_page_with_a_margin() -> None:
    assert on_page('<svg viewBox="0 0 10 20" width="10"><g/></svg>') == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 34 44"><g/></svg>'
    )
