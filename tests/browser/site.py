"""The server of a file of browser tests, and the people who visit it."""

from __future__ import annotations

from dataclasses import dataclass, field

import httpx
from playwright.sync_api import expect

from client import session
from client.caught_mails import Mailbox
from client.http import Api
from client.session import Session
from server.kernel import secrets
from tests.e2e.instance import Instance
from tests.kit.patience import PATIENCE


@dataclass
class Person:
    """Somebody with a mailbox; `session` is their account as a program uses it, for needs beside the page."""

    site: Site
    name: str
    address: str
    session: Session = field(repr=False)

    @property
    def account(self) -> str:
        return self.session.account

    def enter(self, context) -> None:
        """Signed in, in this context, as if the button behind a mailed link had been pressed in it."""
        session.request_link(self.site.api, self.address)
        pressed = context.request.post(
            f"{self.site.url}/login/{self.site.link(self.address)}",
            headers={"Sec-Fetch-Site": "same-origin"},
            max_redirects=0,
        )
        assert pressed.status == 303, pressed.text()


@dataclass
class Site:
    """A running house."""

    house: Instance
    web: httpx.Client = field(repr=False)
    people: int = 0
    links: set[str] = field(default_factory=set)

    @property
    def url(self) -> str:
        return self.house.url

    @property
    def api(self) -> Api:
        """The API without an account."""
        return Api(self.url, None, self.web)

    def seed(self) -> bytes:
        """The private seed of the server's first key, with which tests sign as the server."""
        return secrets.server_seed(bytes.fromhex((self.house.data_dir / "master.key").read_text("ascii").strip()), 1)

    def person(self, name: str) -> Person:
        """A new person who has signed in by mail."""
        self.people += 1
        address = f"{name.lower()}{self.people}@players.example"
        return Person(self, name, address, self._signed_in(address, name))

    def link(self, address: str) -> str:
        """The token of a link that was mailed to this address, and that nobody was given here before."""
        mailbox = Mailbox(Api(self.house.mail_url, None, self.web), address)
        mail = mailbox.wait_for(
            lambda one: session.token_in(one["text"]) not in {None, *self.links}, "the link", PATIENCE
        )
        token = session.token_in(mail["text"]) or ""
        self.links.add(token)
        return token

    def sign_in(self, page, address: str, name: str) -> None:
        """From the form on the page to the button, as a new person."""
        page.get_by_label("Email address").fill(address)
        page.get_by_role("button", name="Send me a link").click()
        expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
        page.goto(f"{self.url}/login/{self.link(address)}")
        page.get_by_label("Name at the table").fill(name)
        page.get_by_role("button", name=f"Sign in as {address}").click()

    def _signed_in(self, address: str, name: str) -> Session:
        session.request_link(self.api, address, name)
        return session.confirm(self.api, self.link(address))
