"""Sample letters about an account or to one person, which show no position."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from server.kernel import secrets
from server.kernel.db.models import Account, LoginLink, Place
from tests.kit.games.pig import game as pig
from workers.mail.account_facts import (
    Confirm,
    Digest,
    Happened,
    Holiday,
    Invited,
    Login,
    Notice,
    OwedMove,
    Paused,
    Waiting,
)
from workers.mail.facts import MailOrigin, digest_id, holiday_id, hook_id, login_id, notice_id, waiting_id

HOST = "play.by.mail.of-the-society-for-slow-games-of.boards.example"  # 60 letters, so that a wrong fold shows
HOUSE = MailOrigin(mailbox=f"Sealed Move <games@{HOST}>", site=f"https://{HOST}")
NOW = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)
GAME = "3f2a6c1e-0b7d-4c58-9a54-7d1f0e2b9c11"
ADA = Account(id=7, handle="k7f2mq9x", created_at=NOW)
LINK = secrets.login_token(bytes(32), LoginLink(id=41, email="ada@example.org", created_at=NOW))


def digest() -> Digest:
    """For a player in Berlin who gets turns and results once a day."""
    times = (timedelta(hours=5), timedelta(days=2, hours=3), None)
    titles = (("3f2a6c1e", "Tikal"), ("9a541c58", "Pig"), ("7d1f0b7d", "Livingstone"), ("0e2b0e2b", "Pig"))
    games = [(f"{begin}-0b7d-4c58-9a54-7d1f0e2b9c11", title) for begin, title in titles]
    owed = tuple(
        OwedMove(
            game, title, seat, left and NOW + left, timedelta(minutes=5 if left else 0), others=("Ben", "Cy (bot)")
        )
        for seat, ((game, title), left) in enumerate(zip(games, times, strict=False))
    )
    news = (Happened(*games[3], "over", NOW - timedelta(hours=7), ("Ben",)),)
    waits = (Happened(*games[3], "rematch", NOW, ("Ben",)), Happened(*games[0], "talk", NOW, ("Ben", "Cy (bot)")))
    stops = (secrets.choice_token(bytes(32), wish, ADA) for wish in ("no-digest", "off"))
    return Digest(digest_id(HOUSE.host, 4711, 1795255200), NOW, owed, news, waits, *stops)


def digest_of_news() -> Digest:
    return replace(digest(), owed=())


def login() -> Login:
    link = f"{HOUSE.site}/login/{LINK}"
    return Login(login_id(HOUSE.host, "41"), link, NOW, NOW + timedelta(minutes=30))


def paused(**changes) -> Paused:
    at = NOW - timedelta(days=3, hours=2)
    facts = Paused(hook_id(HOUSE.host, 3, int(NOW.timestamp())), 3, "my bot", "bot.example", False, at, "timeout")
    return replace(facts, **changes)


def paused_gone() -> Paused:
    return paused(gone=True, last=410, bot="Deep")


KID = "fFEzEIU09w65qyHJ04kl2keTc3ofvykyLz0wPkUg0dA"


def waiting(act: str, about: str = "", **changes) -> Waiting:
    link = f"{HOUSE.site}/waiting/{LINK}"
    facts = Waiting(waiting_id(HOUSE.host, 5, "waiting"), act, about, link, NOW + timedelta(days=7))
    return replace(facts, **changes)


def waits_for_device() -> Waiting:
    return waiting("let-in", KID)


def waits_for_address() -> Waiting:
    return waiting("address", "ada@new.example", signed=True)


def holiday() -> Holiday:
    return Holiday(holiday_id(HOUSE.host, 3), NOW + timedelta(days=2), NOW + timedelta(days=7), 4)


def confirm() -> Confirm:
    link = f"{HOUSE.site}/waiting/{LINK}"
    return Confirm(waiting_id(HOUSE.host, 5, "confirm"), link, NOW + timedelta(days=7))


def notice(kind: str) -> Notice:
    """Of the table in all samples."""
    link = f"{HOUSE.site}/games/{GAME}"
    game = None if kind in ("off", "no-digest", "bounced") else GAME
    return Notice(notice_id(HOUSE.host, kind, 8, 7), kind, game, pig.meta.title, link, NOW + timedelta(days=3), "Ben")


def invited() -> Invited:
    """To an address that may have no account."""
    place = Place(id=9, game_id=GAME, made_at=NOW)
    link = f"{HOUSE.site}/i/{secrets.invitation_token(bytes(32), place)}"
    about = {"by": "Ben", "people": ("Ben", "Zoë"), "clock": "3 days for each turn"}
    until = NOW + timedelta(days=14)
    return Invited(notice_id(HOUSE.host, "invited", 8, 0), GAME, pig.meta.title, link=link, until=until, **about)
