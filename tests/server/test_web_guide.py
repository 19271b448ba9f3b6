"""Guides as pages: Markdown that is drawn and escaped, and every game's guide in its place."""

import pytest

from engine import registry
from server.markdown import html

TABLE = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>"


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("# Pig & co", '<h1 id="pig-co">Pig &amp; co</h1>'),
        (
            "one\ntwo `a <b>` **bold** *soft*",
            "<p>one two <code>a &lt;b&gt;</code> <strong>bold</strong> <em>soft</em></p>",
        ),
        ("- one\n  more\n- two", "<ul><li>one more</li><li>two</li></ul>"),
        ("said:\n3. one", '<p>said:</p>\n<ol start="3"><li>one</li></ol>'),
        ("    a\n\n    b", '<pre tabindex="0"><code>a\n\nb</code></pre>'),
        (
            "| a | b |\n|---|---|\n| 1 | 2 |",
            TABLE,
        ),
        ("[here](/play/pig) [x](javascript:y)", '<p><a href="/play/pig">here</a> [x](javascript:y)</p>'),
        ("<script>", "<p>&lt;script&gt;</p>"),
    ],
)
def test_markdown_is_drawn_and_escaped(text, drawn):
    assert html(text) == drawn


@pytest.mark.parametrize("key", registry.games())
def test_every_game_has_its_guide_page(hall, key):
    """With its commands, linked from the front page, and the same text in the API."""
    answer = hall.client.get(f"/play/{key}")
    assert answer.status_code == 200
    assert "What to type" in answer.get_data(as_text=True)
    assert f'href="/play/{key}"' in hall.client.get("/").get_data(as_text=True)
    assert hall.client.get(f"/v1/types/{key}").json["guide"] == registry.guide(key)


def test_a_guide_of_no_game_is_not_found(hall):
    assert hall.client.get("/play/chess").status_code == 404


def test_every_page_links_the_guides(hall):
    """At its foot, so that nobody has to look for them."""
    for path in ("/", "/login", "/play/pig", "/v1/docs", "/nowhere"):
        text = hall.client.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)
        assert '<a href="/play/bids">' in text, path
