"""The Markdown of guides as HTML (pure), by markdown-it: the syntax that a guide may use, and its HTML.

Guides cannot contain HTML. Links lead to https or to this site. A line that `engine.guides` parses as a picture becomes
a figure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from markupsafe import Markup, escape

from engine import guides

RULES = ("backticks", "code", "emphasis", "escape", "heading", "link", "list", "newline", "table")
_LINK = re.compile(r"https://|/(?!/)")


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        """Allow no other scheme, nor a link to another host without a scheme."""
        return _LINK.match(url) is not None


def _text(_renderer: object, tokens: Sequence[Token], at: int, _options: object, _env: object) -> str:
    """Escape as the surrounding templates do: quotes and apostrophes too. No line breaks inside an arrow."""
    return str(escape(tokens[at].content.replace("->", "\N{RIGHTWARDS ARROW}")))


def _picture(state: StateBlock, start: int, _end: int, is_trial: bool) -> bool:
    """The block rule of a picture: one line, which also ends a paragraph."""
    shown = guides.picture(state.src[state.bMarks[start] : state.eMarks[start]])
    if shown is None or "pictures" not in state.env:
        return False
    if not is_trial:
        token = state.push("picture", "figure", 0)
        token.meta, token.map = {"shown": shown}, [start, start + 1]
        state.line = start + 1
    return True


def _figure(_renderer: object, tokens: Sequence[Token], at: int, _options: object, env: Mapping[str, str]) -> str:
    shown: guides.Picture = tokens[at].meta["shown"]
    address, caption = f"{env['pictures']}/golden/{shown.golden}/{shown.moves}.svg", escape(shown.caption)
    image = f'<a href="{address}"><img src="{address}" alt="{caption}" loading="lazy"></a>'
    return f"<figure>{image}<figcaption>{caption}</figcaption></figure>\n"


_parser = _Parser("zero").enable(list(RULES))
_parser.add_render_rule("text", _text)
_parser.add_render_rule("picture", _figure)
_parser.block.ruler.before("paragraph", "picture", _picture, {"alt": ["paragraph"]})


def html(text: str, below: int = 0, pictures: str | None = None) -> Markup:
    """A guide as HTML; its first heading is h1, or `below` levels lower, and then headings have no id.

    Pictures have addresses below `pictures`; without it their lines stay text.
    """
    env = {} if pictures is None else {"pictures": pictures}
    tokens = _parser.parse(text, env)
    for opening, said, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "heading_open" and not below:
            opening.attrs["id"] = re.sub(r"[^a-z0-9]+", "-", said.content.lower()).strip("-")
        if opening.type == "th_open" and not said.content:  # an empty heading has nothing to head
            opening.tag = closing.tag = "td"
    for token in tokens:
        _draw(token, below)
    return Markup(_parser.renderer.render(tokens, _parser.options, env).strip("\n"))  # noqa: S704 - the renderer escapes


def _draw(token: Token, below: int) -> None:
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(6, int(token.tag[1]) + below)}"
    if token.type == "code_block":
        token.attrs["tabindex"] = 0  # so that keys scroll a table wider than its container
        token.content = token.content.removesuffix("\n")
    for child in token.children or ():
        if child.type == "softbreak":
            child.type, child.content = "text", " "
    token.attrs.pop("style", None)  # how a table's columns align: our content security policy allows no inline style
    token.block = token.level == 0 and token.nesting < 1  # only these end a line, which saves bytes in mails
