"""The page that shows caught mails (`sealedmove mailbox`), read as a program: what was delivered to one address."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from client.errors import ClientError
from client.http import Api

Mail = dict[str, Any]


class MailMissingError(ClientError):
    """A mail that must come did not come in time."""


class Mailbox:
    """One address at the page. `sleep` and `clock` (seconds) may be given."""

    def __init__(
        self,
        api: Api,
        address: str,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._api = api
        self.address = address
        self._sleep = sleep
        self._clock = clock
        self.mails: dict[str, Mail] = {}

    def fetch(self) -> None:
        """Everything delivered since the last time, into `mails` by Message-ID."""
        last = max((str(mail["id"]) for mail in self.mails.values()), default="")
        for mail in self._api.get("/mail.json", to=self.address, after=last).value:
            self.mails[mail["message_id"]] = mail

    def wait_for(self, wanted: Callable[[Mail], bool], what: str, seconds: float = 30.0) -> Mail:
        """The first mail that is wanted, fetched until it is there; MailMissingError after so many seconds."""
        until, pause = self._clock() + seconds, 0.02
        while True:
            self.fetch()
            found = next(filter(wanted, self.mails.values()), None)
            if found is not None:
                return found
            if self._clock() > until:
                raise MailMissingError(f"{what}: no such mail to {self.address} within {seconds:.0f} s")
            self._sleep(pause)
            pause = min(2 * pause, 0.5)
