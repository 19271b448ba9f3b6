"""Guides as pages: Markdown that is rendered and escaped, and every game's guide."""

import re

import pytest

from engine import guides, registry
from server.play.markdown import html

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
        ("said:\n- one", "<p>said:</p>\n<ul><li>one</li></ul>"),
        ("said:\n\n3. one", '<p>said:</p>\n<ol start="3"><li>one</li></ol>'),
        ("    a\n\n    b", '<pre tabindex="0"><code>a\n\nb</code></pre>'),
        (
            "| a | b |\n|---|---|\n| 1 | 2 |",
            TABLE,
        ),
        ("[here](/play/pig) [x](javascript:y)", '<p><a href="/play/pig">here</a> [x](javascript:y)</p>'),
        ("<script>", "<p>&lt;script&gt;</p>"),
        ("|   | b |\n|---|:-:|\n| 1 | 2 |", TABLE.replace("<th>a</th>", "<td></td>")),
        ('it\'s "so"', "<p>it&#39;s &#34;so&#34;</p>"),
    ],
)
def test_markdown_is_rendered_and_escaped(text, drawn):
    assert html(text) == drawn


@pytest.mark.parametrize(
    "text",
    [
        "<b onclick=x>",
        "<div>\n<img src=x onerror=y>\n</div>",
        "a <!-- b --> c",
        "&lt;script&gt;",
        "<https://example.org>",
        "[x](http://example.org)",
        "[x](//example.org)",
        "[x](java\tscript:y)",
        "[x](data:text/html,y)",
        "[x][y]\n\n[y]: https://example.org",
        "```\ncode\n```",
    ],
)
def test_html_images_and_foreign_links_are_not_rendered(text):
    """Nor links to another scheme or without a host."""
    drawn = str(html(text))
    assert re.findall(r"<(?!/?(?:p|code)>)", drawn) == []
    assert "href" not in drawn


def test_headings_are_lowered_to_the_level_of_their_page():
    """A guide inside another page has no ids, which could clash with the page's own."""
    assert html("# A\n\n#### B", below=3) == "<h4>A</h4>\n<h6>B</h6>"


@pytest.mark.parametrize("key", registry.games())
def test_every_list_of_a_guide_is_rendered_as_a_list(key):
    """A numbered list after another needs an empty line before it, or its items end in a paragraph."""
    guide = registry.guide(key)
    assert str(html(guide)).count("<li>") == len(re.findall(r"(?m)^(?:[-*]|\d+\.) ", guide))


@pytest.mark.parametrize("key", ["discoveries", "lewis_clark", "livingstone", "tikal"])
def test_no_guide_of_ours_has_columns(key):
    """On a phone, a command and its meaning in two columns run together; a list keeps them apart."""
    assert not re.findall(r"(?m)^\|.*|^ {4}.*\S {2,}\S.*", registry.guide(key))


@pytest.mark.parametrize("key", registry.games())
def test_every_game_has_its_guide_page(hall, key):
    """With its commands, linked from the front page, and the same text in the API."""
    answer = hall.client.get(f"/play/{key}")
    assert answer.status_code == 200
    assert "What to type" in answer.get_data(as_text=True)
    assert f'href="/play/{key}"' in hall.client.get("/").get_data(as_text=True)
    assert hall.client.get(f"/v1/types/{key}").json["guide"] == registry.guide(key)


def test_the_guide_of_an_unknown_game_is_not_found(hall):
    assert hall.client.get("/play/chess").status_code == 404


def test_every_page_links_the_guides(hall):
    """In its footer."""
    for path in ("/", "/login", "/play/pig", "/v1/docs", "/nowhere"):
        text = hall.client.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)
        assert '<a href="/play/bids">' in text, path


def test_a_picture_of_a_guide_is_a_figure_with_its_caption():
    """It ends a paragraph; without an address for pictures its line stays text."""
    text = "Before\n![Two & two](golden/four.txt#6)\nafter"
    image = '<a href="/p/golden/four/6.svg"><img src="/p/golden/four/6.svg" alt="Two &amp; two" loading="lazy"></a>'
    figure = f"<figure>{image}<figcaption>Two &amp; two</figcaption></figure>"
    assert html(text, pictures="/p") == f"<p>Before</p>\n{figure}\n<p>after</p>"
    assert "<img" not in html(text)


def test_the_pictures_of_a_guide_are_served_and_no_others(hall):
    """Each with a tag; other positions of the same golden game are not found."""
    page = hall.client.get("/play/pig").get_data(as_text=True)
    [address] = re.findall(r'<img src="([^"]+golden[^"]+)"', page)
    answer = hall.client.get(address)
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.text == guides.svg("pig", guides.pictures("pig")[0])
    assert hall.client.get(address, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    for other in (address.replace("/6.", "/7."), address.replace("four", "none"), address.replace("pig", "chess")):
        assert hall.client.get(other).status_code == 404


def test_an_arrow_is_one_character_that_no_line_breaks_inside():
    shown = html("- pay `2 -> 3`: 2 wood -> 1 canoe")
    assert "<code>2 -&gt; 3</code>: 2 wood \N{RIGHTWARDS ARROW} 1 canoe" in shown
