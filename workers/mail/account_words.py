"""The heading and the words of mails about an account, or about several games (pure)."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from workers.mail import headers, notices, sentences, waiting_act_words
from workers.mail.account_facts import AccountMail, Confirm, Digest, Holiday, Invited, Login, Notice, Paused, Waiting
from workers.mail.facts import MailOrigin

# The labels of the links that stop mails.
NO_DIGEST, OFF = "Stop the daily digest", "Stop all emails about games"


def heading(facts: AccountMail) -> str:
    """The game, or our name, and the topic."""
    if isinstance(facts, Login):
        return "Sealed Move: your sign-in link"
    if isinstance(facts, Paused):
        return f'Sealed Move: your webhook "{headers.clean(facts.name)}" is paused'
    if isinstance(facts, Waiting):
        return f"Sealed Move: {waiting_act_words.SUBJECTS[facts.act]}"
    if isinstance(facts, Holiday):
        return "Sealed Move: your holiday"
    if isinstance(facts, Confirm):
        return "Sealed Move: confirm your email address"
    if isinstance(facts, Digest):
        return f"Sealed Move: {sentences.waiting(len(facts.owed))}"
    if isinstance(facts, Invited):
        asks = "wants a rematch" if facts.again else "invites you to a game"
        return f"[{headers.clean(facts.title)} #{facts.game[:4]}] {facts.by} {asks}"
    about = "Sealed Move:" if facts.game is None else f"[{headers.clean(facts.title)} #{facts.game[:4]}]"
    return f"{about} {notices.NOTICES[facts.kind].subject}"


def of_account(origin: MailOrigin, facts: AccountMail, zone: ZoneInfo) -> dict[str, Any]:
    """The variables of its templates that are its own."""
    if isinstance(facts, Digest):
        owed = [sentences.owed_says(one, facts.now, zone) for one in facts.owed]
        waiting = sentences.waiting(len(facts.owed))
        wishes = [(f"{origin.site}/m/{token}", says) for says, token in ((NO_DIGEST, facts.token), (OFF, facts.off))]
        words = {"waiting": waiting[0].upper() + waiting[1:], "owed": owed, "happened": sentences.HAPPENED}
        return words | {"wishes": wishes}
    if isinstance(facts, Notice):
        return notices.words(facts, zone)
    if isinstance(facts, Waiting):
        return {"deed": waiting_act_words.DEEDS[facts.act].format(about=facts.about)}
    return _of_hook(origin, facts) if isinstance(facts, Paused) else {}


def _of_hook(origin: MailOrigin, facts: Paused) -> dict[str, str]:
    link = f"{origin.site}/v1/me/hooks/{facts.number}"
    return {"hook": headers.clean(facts.name), "host": facts.host, "bot": headers.clean(facts.bot or ""), "link": link}
