"""Why a mail is not sent: its notification is outdated, or its reader wants it at another time."""

from server.mailbox.choices import Verdict
from workers.errors import WorkerError


class OutdatedMailError(WorkerError):
    """The message is the reason, kept in the notification's row."""


class PostponedMailError(WorkerError):
    """It is sent later, as the verdict says."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict
