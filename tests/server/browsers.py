"""A browser of Ada's: its requests from pages of ours, requests from others, and its session."""

from __future__ import annotations

import re

import sqlalchemy as sa

from server.kernel.db.models import WebSession
from tests.server.harness import HOST, Client, Harness

COOKIE = "__Host-sealedmove"
ADA, BEN = "ada@example.org", "ben@example.org"
OWN = {"Sec-Fetch-Site": "same-origin"}
PAGE = {**OWN, "X-Sealed-Move": "page"}
ELSEWHERE = (
    {},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "cross-site", "X-Sealed-Move": "page"},
    {"Sec-Fetch-Site": "same-site", "X-Sealed-Move": "page"},
    {"Sec-Fetch-Site": "same-site", "Origin": f"https://{HOST}", "X-Sealed-Move": "page"},
    {"Origin": "https://elsewhere.example", "X-Sealed-Move": "page"},
    {"Origin": f"https://{HOST}:8443", "X-Sealed-Move": "page"},
    {"Origin": f"http://{HOST}", "X-Sealed-Move": "page"},
    {"Origin": "null", "X-Sealed-Move": "page"},
)


def ada_of(hall: Harness) -> Client:
    """A browser that Ada is signed in on."""
    browser = hall.browser()
    assert browser.sign_in(hall, ADA, "Ada").status_code == 303
    browser.browses = False  # from here on a test sets the browser's headers itself
    return browser


def kept(hall: Harness) -> int:
    with hall.services.database.read() as session:
        return session.scalar(sa.select(sa.func.count()).select_from(WebSession))


def who(browser: Client) -> str | None:
    """The name at the head of the front page."""
    found = re.search('href="/account"[^>]*>([^<]*)<', browser.get("/").get_data(as_text=True))
    return found and found[1]
