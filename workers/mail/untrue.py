"""Why a mail is not sent: what its notification says is not so any more; or its reader wants it at another time."""

from server.mailbox.choices import Verdict


class Untrue(Exception):
    """The message is the reason, kept in the notification's row."""


class Postponed(Exception):
    """It goes later, as the verdict says."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict
