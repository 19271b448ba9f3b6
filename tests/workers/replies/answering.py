"""Players who answer their mails by signed mails of their own, and the ways in which real processes take these."""

from __future__ import annotations

import smtplib
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime

import httpx

from engine.kit import Step, format_steps
from server.kernel.services import utc_now
from tests.kit.patience import PATIENCE, until
from tests.servers import patient
from tests.workers import harness as people
from tests.workers.replies.post import BOUNCE, REPLY, Post
from workers.dev.signer import PageSigner

SECRET = "the relay's secret"


@dataclass(frozen=True)
class Doors:
    """The ports of `inbound` and of the web server of one host, and the name by which it is known."""

    smtp: int
    http: int
    name: str = "127.0.0.1:8000"

    @property
    def settings(self) -> dict[str, str]:
        """For the environment of its processes."""
        mail = {"REPLY_ADDRESS": REPLY, "BOUNCE_ADDRESS": BOUNCE, "INBOUND_SECRET": SECRET}
        return {**mail, "INBOUND_LISTEN": f"smtp://127.0.0.1:{self.smtp}", "PORT": str(self.http)}

    def hand_in(self, mail: EmailMessage, raw: bytes, *, by_http: bool) -> None:
        """Send the same bytes until they are accepted."""
        to, hand_in = mail["Reply-To"].addresses[0].addr_spec, self._post if by_http else self._mail
        until(lambda: hand_in(to, raw), "no reply is taken")

    def _mail(self, to: str, raw: bytes) -> bool:
        with suppress(OSError, smtplib.SMTPException), smtplib.SMTP("127.0.0.1", self.smtp, timeout=PATIENCE) as client:
            client.sendmail("x@example.org", [to], raw)
            return True
        return False

    def _post(self, to: str, raw: bytes) -> bool:
        told = {"Host": self.name, "Content-Type": "message/rfc822", "X-Envelope-To": to}
        asked = {"headers": told, "auth": ("relay", SECRET), "content": raw}
        with suppress(httpx.HTTPError):
            return patient.post(f"http://127.0.0.1:{self.http}/inbound/raw", **asked).status_code == 200
        return False


class Answers:
    """The answers to the mails of some games: one to each mail, by the player it went to."""

    def __init__(self, house: Post, letters: PageSigner, games: Collection[str]) -> None:
        self.house, self.letters, self.games = house, letters, games
        self.answered: dict[str, str] = {}

    def left(self) -> list[EmailMessage]:
        """Unanswered mails: usually the last of its game; now and then an older one, whose question may be over."""
        asking = self._asking()
        last = {(_game(mail), _player(mail)): mail for mail in asking}
        shown = asking if len(self.answered) % 8 == 7 else last.values()
        return [mail for mail in shown if mail["Message-ID"] not in self.answered]

    def _asking(self) -> list[EmailMessage]:
        """Mails that can be answered, without second copies."""
        ours = [mail for mail in list(self.house.sink.mails) if mail["Reply-To"] and _game(mail) in self.games]
        return list({mail["Message-ID"]: mail for mail in ours}.values())

    def next(self) -> EmailMessage:
        """A mail to the player with the fewest answers: too many answers an hour wait."""
        until(self.left, "nobody is asked")
        counted = Counter(self.answered.values())
        return min(self.left(), key=lambda mail: counted[_player(mail)])

    def to(self, mail: EmailMessage) -> bytes:
        """A signed answer with the default move, as the player would type it."""
        words = self._words(mail)
        made = message_from_bytes(b"", policy=policy.default)
        made["From"], made["To"] = str(mail["To"]), str(mail["Reply-To"])
        made["Date"], made["Subject"] = format_datetime(utc_now()), "Re: " + mail["Subject"]
        made["Message-ID"] = f"<{len(self.answered)}@example.org>"
        made.set_content(words)
        self.answered[mail["Message-ID"]] = _player(mail)
        return self.letters.signed(made)

    def _words(self, mail: EmailMessage) -> str:
        table = self.house.table(_game(mail))
        seat = people.PEOPLE.index(_player(mail).title())
        return format_steps([Step(table.game.default(table.state, seat))]) if seat in table.active else "bid 0"

    def check(self) -> None:
        """Each accepted reply was read once, did one thing, and was answered to its sender."""
        rows = self.house.kept()
        read = [row for row in rows if row.name is not None]
        assert len(read) == len(self.answered)
        assert {row.reason for row in rows if row.name is None} <= {"again"}
        played = [row for row in read if row.reason == "played"]
        moved = [line for game in self.games for line in self.house.lines(game) if line.get("via") == "mail"]
        assert len(played) == len(moved) > 0, f"{len(moved)} moves by {Counter(row.reason for row in rows)}"
        answers = Counter(row.inbound_id for row in self.house.rows() if row.kind == "answer")
        assert answers == Counter(row.id for row in read)
        mails = list(self.house.sink.mails)  # before their rows are read, or one may have none yet
        of = {row.message_id: row.account_id for row in self.house.rows()}
        for mail in mails:
            assert _player(mail) == people.PEOPLE[of[mail["Message-ID"]] - 1].lower()


def _game(mail: EmailMessage) -> str:
    return mail["Message-ID"].split(".")[1]


def _player(mail: EmailMessage) -> str:
    return mail["To"].addresses[0].username
