"""The reason why a mail is not sent: what its notification says is not so any more."""


class Untrue(Exception):
    """The message is the reason, kept in the notification's row."""
