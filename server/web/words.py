"""Sentences on a page (pure)."""

from __future__ import annotations

import re

from markupsafe import Markup, escape


def marked(text: str) -> Markup:
    """Text in which `this` is code and **this** strong, as HTML; everything else is escaped."""
    parts = re.split(r"`([^`]+)`|\*\*([^*`]+)\*\*", text)
    return Markup("").join(_drawn(*parts[at : at + 3]) for at in range(0, len(parts), 3))


def _drawn(plain: str, code: str | None = None, strong: str | None = None) -> Markup:
    if code is not None:
        return escape(plain) + Markup("<code>{}</code>").format(code)
    return escape(plain) + (Markup("") if strong is None else Markup("<strong>{}</strong>").format(strong))
