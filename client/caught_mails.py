"""A reader of the page of caught mails (`sealedmove mailbox`): the mails that were delivered to one address."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from client.errors import ClientError
from client.http import Api

Mail = dict[str, Any]


class MailMissingError(ClientError):
    """An expected mail has not come in time."""


class Mailbox:
    """The mailbox of one address. `sleep` and `clock` (in seconds) can be replaced."""

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
        """Add mails delivered since the last call to `mails`, by Message-ID."""
        last = max((str(mail["id"]) for mail in self.mails.values()), default="")
        for mail in self._api.get("/mail.json", to=self.address, after=last).value:
            self.mails[mail["message_id"]] = mail

    def wait_for(self, wanted: Callable[[Mail], bool], what: str, seconds: float = 30.0) -> Mail:
        """Wait for the first wanted mail; raise MailMissingError after this many seconds without any new mail."""
        until, pause, had = self._clock() + seconds, 0.02, len(self.mails)
        while True:
            self.fetch()
            if len(self.mails) > had:
                until, had = self._clock() + seconds, len(self.mails)
            found = next(filter(wanted, self.mails.values()), None)
            if found is not None:
                return found
            if self._clock() > until:
                raise MailMissingError(f"{what}: no mail to {self.address} within {seconds:.0f} s")
            self._sleep(pause)
            pause = min(2 * pause, 0.5)
