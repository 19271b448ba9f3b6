"""How a test says that something was not told, where what was told holds random ids, tokens and keys.

`77` is in one log of eight by chance, and `red` in one of many thousands. So what is looked for either cannot be a
piece of a random word, or is looked for as a word that stands alone.
"""

from __future__ import annotations

import re
from email.message import EmailMessage

LETTERS = "A-Za-z0-9_-"  # of base64url, and so of hexadecimal, decimal and UUIDs too
LEAST = 12  # letters of a random word that no two have in common, in as much as our tests ever print


def not_told(secret: str, *texts: str) -> None:
    """Assert that no text holds `secret`, which is longer than chance makes or has a letter that no random word has."""
    assert not re.fullmatch(f"[{LETTERS}]{{0,{LEAST - 1}}}", secret), (
        f"{secret!r} may occur by chance: count mentions()"
    )
    assert not [text for text in texts if secret in text], f"{secret!r} was told"


def mentions(word: str, text: str) -> int:
    """How often `word` stands alone in `text`: what random words are made of stands on neither side of it."""
    return len(re.findall(f"(?<![{LETTERS}]){re.escape(word)}(?![{LETTERS}])", text))


def mailed(mail: EmailMessage) -> str:
    """What a reader sees of a mail: its headers and its texts, unpacked; not its pictures."""
    parts = [part.get_content() for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join([*(f"{name}: {value}" for name, value in mail.items()), *parts])
