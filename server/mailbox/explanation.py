"""Why a mail came, or did not, or not yet, in one sentence from the data of its row (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from server.kernel import text

# Why a mail is not sent, by the reason that its row keeps.
NOT = {
    "off": "you have switched mail of this kind off",
    "muted": "you want no mail of this table",
    "suspended": "mail to your address is stopped, after what its mail server or its reader said",
    "answered": "the move was no longer yours to make when it would have gone out",
    "too-late": "the time was over when it would have gone out",
    "game-over": "the game had ended when it would have gone out",
    "resigned": "you had resigned when it would have gone out",
    "seat-left": "the seat was no longer yours when it would have gone out",
    "taken-back": "the seat was yours again when it would have gone out",
    "back": "you no longer counted as absent when it would have gone out",
    "closed": "the seat was no longer open when it would have gone out",
    "nothing-left": "nothing of it was so any more when it would have gone out",
    "goes-on": "the webhook went on again before it would have gone out",
    "hook-gone": "the webhook was deleted before it would have gone out",
    "waits-no-more": "nothing waited any more when it would have gone out",
    "link-used": "the link had been used when it would have gone out",
    "link-expired": "the link had expired when it would have gone out",
    "too-old": "what it answers is kept no more",
    "account-erased": "the account was erased",
}
WAITED = {
    "quiet": "the end of your quiet hours",
    "delay": "the minutes that you want to have for moving first",
    "on-site": "your leaving the site",
    "there": "some minutes, since you had just moved",
    "digest": "your digest",
}
STATES = ("sent", "waits", "tried", "not-sent", "refused")
SPOKEN = re.compile(r"[245][0-9]{2}[ -]")  # how a mail server's answer begins


@dataclass(frozen=True, slots=True)
class MailRecord:
    """What the row of a mail says of its way. `digested`: in a digest; `again`: it is tried as long as it is true."""

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


def standing(mail: MailRecord) -> str:
    """One of `STATES`."""
    if mail.state in ("sent", "dropped"):
        return "sent" if mail.state == "sent" else "not-sent"
    if mail.state == "failed":
        return "tried" if _is_given_up(mail) and mail.again else "refused"
    return "tried" if mail.attempts and mail.said is not None else "waits"


def _is_given_up(mail: MailRecord) -> bool:
    return mail.reason == "given-up"


def server_words(mail: MailRecord) -> str | None:
    """The mail server's own words; what else stood in the way is nobody's but the operator's."""
    return mail.said if mail.said is not None and SPOKEN.match(mail.said) else None


def explain(mail: MailRecord, now: datetime, zone: ZoneInfo) -> str:
    """The answer to "why was I, or was I not, mailed?"."""
    how = standing(mail)
    if how == "sent":
        return _sent(mail, zone)
    if how == "not-sent":
        return f"Not sent: {NOT.get(mail.reason or '', 'it was not so any more when it would have gone out')}."
    if how == "refused":
        why = "for days, and it is not tried any more" if _is_given_up(mail) else "and that is final for your address"
        return f"Not delivered: {_server_said(mail)}, {why}."
    if how == "tried":
        return f"Tried, and not delivered yet: {_server_said(mail)}; tried again on {text.moment(mail.next, zone)}."
    if mail.state == "held":
        return f"It goes in your digest, on {text.moment(mail.next, zone)}."
    if mail.waited is not None and mail.next > now:
        return f"It goes on {text.moment(mail.next, zone)}: it waits for {WAITED[mail.waited]}."
    return "It is on its way."


def _sent(mail: MailRecord, zone: ZoneInfo) -> str:
    at = text.moment(mail.sent or mail.made, zone)
    if mail.digested:
        return f"Sent in your digest on {at}."
    after = f" after it had waited for {WAITED[mail.waited]}" if mail.waited in WAITED else ""
    heard = f"; the mail server said: {server_words(mail)}" if server_words(mail) else ""
    return f"Sent on {at}{after}{heard}."


def _server_said(mail: MailRecord) -> str:
    if mail.said in ("game-stopped", "lines-missing"):
        return "the game is stopped"
    words = server_words(mail)
    return f"the mail server said: {words.rstrip('.')}" if words else "the mail server could not be reached"
