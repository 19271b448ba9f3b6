"""What a page keeps when it is renewed while somebody uses it."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow

SHOWN = """(html) => {
  const root = document.createElement('div');
  root.innerHTML = `<div id="part" data-live>${html}</div>`;
  document.body.replaceChildren(root);
}"""
RENEWED = """async (html) => {
  const { renew } = await import('/static/turn/fresh.js');
  renew(document.body, new DOMParser().parseFromString(`<div id="part">${html}</div>`, 'text/html'));
}"""
FOCUSED = "document.activeElement.textContent"
FOCUS = "document.querySelectorAll('a, button')[%d].focus()"


def entries(*numbers: int) -> str:
    return "".join(f'<li id="entry-{one}"><a href="#entry-{one}">{one}</a></li>' for one in numbers)


def turns(*numbers: int) -> str:
    links = "".join(f'<li><a href="?at={one}">Turn {one}</a></li>' for one in numbers)
    summary = f"<summary>Since then: {len(numbers)}</summary>"
    return f'<details open>{summary}{links}</details><a href="?at={numbers[-1]}">Step through</a>'


def seats(*numbers: int) -> str:
    return "".join(f'<button data-act="join" data-seat="{one}">Join at seat {one + 1}</button>' for one in numbers)


def levels(chosen: str) -> str:
    options = "".join(f"<option{' selected' if one == chosen else ''}>{one}</option>" for one in ("easy", "fair"))
    return f'<select id="level">{options}</select>'


def report(number: int) -> str:
    return f'<li id="message-{number}"><details><summary>Report</summary></details></li>'


@pytest.mark.parametrize(
    ("before", "after", "does", "reads", "kept"),
    [
        (entries(2, 1), entries(3, 2, 1), FOCUS % 0, FOCUSED, "2"),
        (seats(1, 2), seats(2), FOCUS % 1, FOCUSED, "Join at seat 3"),
        (seats(1, 2), seats(2), FOCUS % 0, "document.activeElement === document.body", True),
        ("<button>Ready</button>", "<button>Not ready yet</button>", FOCUS % 0, FOCUSED, "Not ready yet"),
        (turns(1), turns(1, 2), FOCUS % 1, FOCUSED, "Step through"),
        (turns(1), turns(1, 2), "document.querySelector('summary').focus()", FOCUSED, "Since then: 2"),
        (
            levels("easy") + "1",
            levels("easy") + "2",
            "document.getElementById('level').value = 'fair'",
            "document.getElementById('level').value",
            "fair",
        ),
        (
            levels("easy") + "1",
            levels("easy") + "2",
            "document.getElementById('level').focus()",
            "document.activeElement.id",
            "level",
        ),
        (
            report(1) + report(2),
            report(2),
            "document.querySelector('#message-2 details').open = true",
            "document.querySelector('#message-2 details').open",
            True,
        ),
        (
            seats(1, 2) + '<p class="said"></p>',
            seats(2) + '<p class="said"></p>',
            "window.said = document.querySelector('#part .said')",
            "said.textContent = 'This seat is taken.'; document.querySelector('#part .said').textContent",
            "This seat is taken.",
        ),
    ],
    ids=["log", "shorter", "gone", "renamed", "moved", "counted", "chosen", "choice", "opened", "said"],
)
def test_a_renewed_part_keeps(site, visit, before, after, does, reads, kept):
    """The focus on the same control, choices, opened details, and a message that comes late."""
    page = visit()
    page.goto(f"{site.url}/login")
    page.evaluate(SHOWN, before)
    page.evaluate(does)
    page.evaluate(RENEWED, after)
    assert page.evaluate(reads) == kept
