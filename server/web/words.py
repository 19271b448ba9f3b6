"""Sentences on a page (pure)."""

from __future__ import annotations

import re

from markupsafe import Markup, escape


def marked(text: str) -> Markup:
    """Text in which `this` is code, as HTML; everything else is escaped."""
    parts = re.split("`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts)
    )
