"""The bytes that follow SMTP's `DATA`, up to the line with only a full stop (RFC 5321, 4.5.2; pure)."""

from __future__ import annotations

END = b"\r\n.\r\n"


class MailData:
    """Takes pieces of any length; `rest` is what follows the end, None before it."""

    def __init__(self) -> None:
        self._held = b"\r\n"  # what may be the beginning of the end; the first line follows a line's end, too
        self._passed = 2  # bytes of it that are not the mail's
        self.rest: bytes | None = None

    def take(self, data: bytes) -> bytes:
        """Further bytes of the mail, without the stops that were added for the transport."""
        whole = self._held + data
        end = whole.find(END)
        if end >= 0:
            self.rest = whole[end + len(END) :]
            return self._mail(whole[: end + 2])
        held = next(size for size in range(len(END) - 1, -1, -1) if whole.endswith(END[:size]))
        self._held = whole[len(whole) - held :]
        return self._mail(whole[: len(whole) - held])

    def _mail(self, whole: bytes) -> bytes:
        if not whole:
            return b""
        passed, self._passed = self._passed, 0
        return whole.replace(b"\r\n.", b"\r\n")[passed:]
