"""Why a mail was sent, was not sent, or still waits: one sentence from the data of its row (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from server.kernel import text

# Why a mail is not sent, by the reason in its row.
NOT = {
    "off": "Not sent: your settings switch off emails of this kind.",
    "muted": "Not sent: you have muted this table.",
    "pushed": "Not sent: a device of yours has shown it.",
    "suspended": "Not sent: emails to your address are stopped because earlier ones failed or were reported as spam.",
    "answered": "Not sent: by then it was no longer your turn.",
    "too-late": "Not sent: by then your time had run out.",
    "more-time": "Not sent: by then your deadline had moved.",
    "game-over": "Not sent: by then the game had finished.",
    "resigned": "Not sent: by then you had resigned.",
    "seat-left": "Not sent: by then you no longer had the seat.",
    "taken-back": "Not sent: by then you had taken the seat back.",
    "back": "Not sent: by then you no longer counted as absent.",
    "closed": "Not sent: by then the seat was no longer offered.",
    "nothing-left": "Not sent: by then none of its notices applied any more.",
    "goes-on": "Not sent: by then the webhook had been resumed.",
    "mail-goes-on": "Not sent: by then you got emails again.",
    "hook-gone": "Not sent: by then the webhook had been deleted.",
    "waits-no-more": "Not sent: by then the request had been carried out or cancelled.",
    "holiday-over": "Not sent: by then the holiday had ended or was cancelled.",
    "link-used": "Not sent: by then the link had been used.",
    "link-expired": "Not sent: by then the link had expired.",
    "too-old": "Not sent: the email that it answers is no longer stored.",
    "account-erased": "Not sent: the account was deleted.",
}
OUTDATED = "Not sent: by then it no longer applied."
# The reason for a wait: while the mail waits, and once it has been sent.
WAITS = {
    "quiet": "Will be sent on {at}, after your quiet hours.",
    "delay": "Will be sent on {at}, after the delay in your settings.",
    "on-site": "Will be sent on {at} unless you are still on the site.",
    "push": "Will be sent on {at} unless a device of yours has shown it by then.",
    "there": "Will be sent on {at}, some minutes after your last move.",
    "digest": "Will be sent in your digest on {at}.",
}
WAITED = {
    "quiet": "Sent on {at}, after your quiet hours.",
    "delay": "Sent on {at}, after the delay in your settings.",
    "on-site": "Sent on {at}, after you had left the site.",
    "push": "Sent on {at}, since no device of yours had shown it.",
    "there": "Sent on {at}, some minutes after your last move.",
    "digest": "Sent in your digest on {at}.",
}
STOPPED = ("game-stopped", "lines-missing")
STATES = ("sent", "waits", "tried", "not-sent", "refused")
SPOKEN = re.compile(r"[245][0-9]{2}[ -]")  # how a mail server's answer begins


@dataclass(frozen=True, slots=True)
class MailRecord:
    """How a mail fared, from its row. `digested`: it went in a digest; `again`: retried while it still applies."""

    state: str
    reason: str | None
    waited: str | None
    attempts: int
    made: datetime
    sent: datetime | None
    next: datetime
    said: str | None
    digested: bool = False
    again: bool = True


def mail_state(mail: MailRecord) -> str:
    """One of `STATES`."""
    if mail.state in ("sent", "dropped"):
        return "sent" if mail.state == "sent" else "not-sent"
    if mail.state == "failed":
        return "tried" if _is_given_up(mail) and mail.again else "refused"
    return "tried" if mail.attempts and mail.said is not None else "waits"


def _is_given_up(mail: MailRecord) -> bool:
    return mail.reason == "given-up"


def server_words(mail: MailRecord) -> str | None:
    """The mail server's answer; other reasons for a failure are only for the operator."""
    return mail.said if mail.said is not None and SPOKEN.match(mail.said) else None


def explain(mail: MailRecord, now: datetime, zone: ZoneInfo) -> str:
    """Why the email was sent, is not sent, or waits."""
    how, at = mail_state(mail), text.moment(mail.next, zone)
    if how == "sent":
        return _sent(mail, zone) if mail.digested else _with_answer(_sent(mail, zone), mail)
    if how == "not-sent":
        return NOT.get(mail.reason or "", OUTDATED)
    if how == "refused":
        return _with_answer(_failed(mail), mail)
    if how == "tried":
        return _with_answer(_retried(mail).format(at=at), mail)
    if mail.state == "held":
        return WAITS["digest"].format(at=at)
    if mail.waited is not None and mail.next > now:
        return WAITS[mail.waited].format(at=at)
    return "On its way."


def _sent(mail: MailRecord, zone: ZoneInfo) -> str:
    waited = "digest" if mail.digested else mail.waited or ""
    return WAITED.get(waited, "Sent on {at}.").format(at=text.moment(mail.sent or mail.made, zone))


def _failed(mail: MailRecord) -> str:
    if not _is_given_up(mail):
        return "Not delivered: the mail server refused your address."
    return "Not delivered: the mail server did not accept it for days, and we have stopped trying."


def _retried(mail: MailRecord) -> str:
    if mail.said in STOPPED:
        return "Not sent yet: the game is stopped. The next attempt is on {at}."
    if server_words(mail):
        return "Not delivered yet: the mail server did not accept it. The next attempt is on {at}."
    return "Not delivered yet: the mail server could not be reached. The next attempt is on {at}."


def _with_answer(sentence: str, mail: MailRecord) -> str:
    words = server_words(mail)
    return f"{sentence} The mail server answered: {words}" if words else sentence
