"""Which addresses count as one where mail is limited (pure): many providers put `a.b+x@` and `ab@` into one mailbox.

Nothing else follows from it: accounts have their addresses as they are written, and two people may be one here.
"""

from __future__ import annotations


def box_of(email: str) -> str:
    """The address in small letters, without what follows a plus, and without dots before the `@`."""
    local, _, domain = email.strip().lower().rpartition("@")
    plain = local.partition("+")[0].replace(".", "")
    return f"{plain or local}@{domain}"
