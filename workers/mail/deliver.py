"""One leased mail, handed over or dropped: look whether it is still true, compose, send, say what became of it.

The connection is open before the facts are read: between the look and the letter lies no waiting. If the worker dies
after the server has taken the letter and before the row says so, the letter goes again under the same Message-ID;
nothing else is ever sent twice, and nothing is lost.
"""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime
from typing import Any

from server.kernel.db.models import Notification
from server.kernel.logs import log
from server.mailbox import stops
from server.mailbox.stops import Said
from workers.dispatch import standing
from workers.mail import answerable
from workers.mail.address import BadAddress, clean
from workers.mail.answerable import where
from workers.mail.compose import compose
from workers.mail.leases import GIVEN_UP, End, Leased
from workers.mail.load import load
from workers.mail.smtp import Line, Never, NotNow
from workers.mail.untrue import Postponed, Untrue
from workers.queues import Shop

LONGEST_WORD = 500  # of what a server said, as the row keeps it


def carry(shop: Shop, one: Leased, line: Line) -> End:
    """What became of it; a fault of ours too is an end, and is tried again."""
    try:
        return _carried(shop, one, line)
    except Exception as fault:  # noqa: BLE001 - logged by its place, without what it says: it may hold what a seat hides
        log.error("mail-fault", notification=one.id, place=where(fault))
        return _later(shop, one, where(fault))


def _carried(shop: Shop, one: Leased, line: Line) -> End:
    try:
        said = _mail(shop, one.id, line)
    except Untrue as reason:
        return End(one, "dropped", {"reason": str(reason)})
    except Postponed as wanted:  # nobody was asked, so it was no try
        values = standing(wanted.verdict, shop.services.now())
        return End(one, values.pop("state"), values | {"attempts": one.attempts - 1})
    except Never as no:
        return _refused(shop, one, str(no))
    except BadAddress as no:
        return End(one, "failed", _unsaid(shop, str(no)) | {"reason": "refused"})
    except NotNow as wait:
        return _later(shop, one, str(wait))
    return End(one, "sent", _taken(shop, said) | {"reason": None})


def _mail(shop: Shop, number: int, line: Line) -> str:
    connection = line.session()
    with shop.services.database.read() as session:
        row = session.get(Notification, number)
        assert row is not None
        reader, facts = load(shop, session, row)
        sender, marks = answerable.bounce(shop, row, reader.email), answerable.marks(shop, row, reader.email)
    letter = compose(shop.house, reader, facts)
    for name, value in {"Date": format_datetime(shop.services.now()), **marks}.items():
        letter[name] = value
    return connection.send(letter, sender)


def _refused(shop: Shop, one: Leased, says: str) -> End:
    """There is no such mailbox, and no more mail goes to it. Noted first: killed here, the next look finds it so."""
    with shop.services.database.write() as session:
        row = session.get_one(Notification, one.id)
        account = stops.account_of(session, row)
        if account is not None:
            stops.add_report(shop.services, session, row, account.id, Said("gone", clean(says, LONGEST_WORD)), "relay")
    return End(one, "failed", _unsaid(shop, says) | {"reason": "refused"})


def _later(shop: Shop, one: Leased, says: str) -> End:
    values = _unsaid(shop, says) | {
        "next_at": shop.services.now() + timedelta(seconds=shop.pace.wait(one.attempts)),
    }
    if one.attempts >= shop.pace.tries:
        return End(one, "failed", values | {"reason": GIVEN_UP})
    return End(one, "pending", values)


def _taken(shop: Shop, said: str) -> dict[str, Any]:
    """For the row: what the server said, and when."""
    now = shop.services.now()
    return {"sent_at": now, "said_at": now, "said": clean(said, LONGEST_WORD), "last_error": None}


def _unsaid(shop: Shop, says: str) -> dict[str, Any]:
    """For the row: why it was not taken, and when."""
    why = clean(says, LONGEST_WORD)
    return {"said_at": shop.services.now(), "said": why, "last_error": why}
