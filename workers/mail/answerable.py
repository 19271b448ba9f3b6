"""The addresses that a mail is answered to, and that its refusal comes to: made for that mail alone."""

from __future__ import annotations

from server.auth import replies
from server.db.models import Notification
from workers.mail.facts import Reply
from workers.queues import Shop


def about(row: Notification, email: str) -> replies.Subject:
    """What the tokens of this mail to this address are about: only mails of a game can be answered."""
    assert row.game_id is not None
    assert row.seat is not None
    return replies.Subject(row.id, row.game_id, row.seat, row.seq or 0, email)


def reply(shop: Shop, row: Notification, email: str, *, moves: bool) -> Reply | None:
    """Where its answer goes; None if none can be read here."""
    if shop.house.reply is None:
        return None
    token = replies.token(shop.services.settings.master, "move", about(row, email))
    return Reply(replies.address(shop.house.reply, token), moves)


def bounce(shop: Shop, row: Notification, email: str) -> str | None:
    """The sender of its envelope; None if nobody listens there, or the mail is of no game."""
    if shop.house.bounce is None or row.game_id is None or row.seat is None:
        return None
    token = replies.token(shop.services.settings.master, "bounce", about(row, email))
    return replies.address(shop.house.bounce, token)
