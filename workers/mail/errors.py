"""Why a mail is not sent now: its notification is outdated, or its reader wants it at another time."""

from server.mailbox.choices import Verdict
from workers.errors import WorkerError


class OutdatedMailError(WorkerError):
    """The message is the reason, kept in the notification's row."""


class PostponedMailError(WorkerError):
    """The mail is sent later, at the time in the verdict."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict
