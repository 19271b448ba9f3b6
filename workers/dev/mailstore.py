"""A maildir of caught mails: one file for each, as sent, below the two lines that a delivery adds.

Names sort by arrival and never contain anything but digits and `Q`, so that a name in a URL cannot leave the folder.
"""

import itertools
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

NAME = re.compile(r"[0-9]{1,20}Q[0-9]+Q[0-9]+")
DELIVERED = b"Delivered-To: "
MOST_RECIPIENTS = 100
_count = itertools.count()


@dataclass(frozen=True)
class CaughtMail:
    id: str
    raw: bytes

    @property
    def message(self) -> EmailMessage:
        return message_from_bytes(self.raw, policy=policy.default)

    @property
    def recipients(self) -> list[str]:
        """The envelope's recipients, from the lines that a delivery adds, so a search reads no other mails."""
        lines = itertools.islice(self.raw.split(b"\r\n", MOST_RECIPIENTS), 1, None)
        ours = itertools.takewhile(lambda line: line.startswith(DELIVERED), lines)
        return [line.removeprefix(DELIVERED).decode() for line in ours]

    def body(self, kind: str) -> str | None:
        """The text of its `plain` or `html` part, if it has one."""
        part = self.message.get_body((kind,))
        return None if part is None else str(part.get_content())

    def part(self, content_id: str) -> tuple[str, bytes] | None:
        """Content type and bytes of the part that HTML names `cid:content_id`."""
        for part in self.message.walk():
            if str(part.get("Content-ID", "")).strip("<> ") == content_id:
                return part.get_content_type(), bytes(part.get_payload(decode=True) or b"")
        return None


class Store:
    """The mails in `folder`; several processes may read while one writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("tmp", "new", "cur"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def add(self, sender: str, recipients: Sequence[str], raw: bytes) -> str:
        """Store a mail that was accepted by SMTP; on disk when this returns. Its id."""
        name = f"{time.time_ns()}Q{os.getpid()}Q{next(_count)}"
        delivered = "".join(f"{DELIVERED.decode()}{one}\r\n" for one in recipients)
        with (self.folder / "tmp" / name).open("wb") as file:
            file.write(f"Return-Path: <{sender}>\r\n{delivered}".encode() + raw)
            file.flush()
            os.fsync(file.fileno())
        (self.folder / "tmp" / name).rename(self.folder / "new" / name)
        return name

    def get(self, name: str) -> CaughtMail | None:
        path = self.folder / "new" / name
        return CaughtMail(name, path.read_bytes()) if NAME.fullmatch(name) and path.is_file() else None

    def newest_first(self) -> Iterator[CaughtMail]:
        for name in sorted((path.name for path in (self.folder / "new").iterdir()), reverse=True):
            if (mail := self.get(name)) is not None:
                yield mail
