"""Assertions that something is not shown, in texts that also hold random ids, tokens and keys.

`77` is in one log of eight by chance, and `red` in one of many thousands. So a search is either for text that cannot be
part of a random word, or for a whole word.
"""

from __future__ import annotations

import re
from email.message import EmailMessage

LETTERS = "A-Za-z0-9_-"  # of base64url, which includes hexadecimal, decimal and UUIDs
LEAST = 12  # letters: no two random words share so many in all that our tests print


def not_told(secret: str, *texts: str) -> None:
    """Assert that no text holds `secret`, which is too long, or has a letter too rare, to occur by chance."""
    assert not re.fullmatch(f"[{LETTERS}]{{0,{LEAST - 1}}}", secret), (
        f"{secret!r} may occur by chance: count mentions()"
    )
    assert not [text for text in texts if secret in text], f"{secret!r} was told"


def mentions(word: str, text: str) -> int:
    """Count `word` as a whole word in `text`: with no letter of random words on either side."""
    return len(re.findall(f"(?<![{LETTERS}]){re.escape(word)}(?![{LETTERS}])", text))


def mailed(mail: EmailMessage) -> str:
    """The visible parts of a mail: its headers and its texts, decoded; not its pictures."""
    parts = [part.get_content() for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join([*(f"{name}: {value}" for name, value in mail.items()), *parts])
