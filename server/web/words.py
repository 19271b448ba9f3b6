"""Names and sentences on a page (pure)."""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup, escape


def clean(name: str) -> str:
    """A name as one printable line: nothing in it turns the text around it."""
    printable = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in name)
    return " ".join(printable.split())


def marked(text: str) -> Markup:
    """Text in which `this` is code, as HTML; everything else is escaped."""
    parts = re.split("`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts)
    )
