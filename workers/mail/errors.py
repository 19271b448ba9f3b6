"""Why a mail is not sent: what its notification says is not so any more; or its reader wants it at another time."""

from server.mailbox.choices import Verdict
from workers.errors import WorkerError


class OutdatedMailError(WorkerError):
    """The message is the reason, kept in the notification's row."""


class PostponedMailError(WorkerError):
    """It goes later, as the verdict says."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict
