"""A change in the panel does not style the whole page again, board and all, which a telephone would be slow at."""

from __future__ import annotations

import json

import pytest

CHANGE = """() => {
  const box = document.createElement("button");
  box.className = "kind";
  document.getElementById("panel").append(box);
  return getComputedStyle(box).color;
}"""
ALL = "document.querySelectorAll('*').length"


@pytest.mark.slow
def test_a_change_in_the_panel_styles_no_other_part_of_the_page(seated, tmp_path):
    """Counted by the browser's own tools, which say how many elements each calculation of styles has touched."""
    ann, _ = seated("lewis_clark")
    page, path = ann.page, tmp_path / "trace.json"
    page.evaluate(CHANGE)
    page.context.browser.start_tracing(path=path, categories=["devtools.timeline"])
    page.evaluate(CHANGE)
    page.context.browser.stop_tracing()
    events = json.loads(path.read_text())["traceEvents"]
    calculated = [one["args"] for one in events if (one["name"], one["ph"]) == ("UpdateLayoutTree", "X")]
    styled = [one["elementCount"] for one in calculated]
    assert styled
    assert max(styled) < page.evaluate(ALL) / 5
