"""A table at which days pass in seconds: people with a browser and a mailbox each, and a server whose clock is set.

Pages come over HTTP into Chromium, which believes the same time. Mails go out over SMTP; replies come in the same way,
signed as a provider signs them. `pictures` is a folder in which every page and every mail that somebody sees is kept.
"""

from __future__ import annotations

import base64
import random
import re
import smtplib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from flask import Response
from playwright.sync_api import BrowserContext, Page, expect
from werkzeug.serving import make_server

from client import keys, session
from client.game import Player
from client.http import Api
from client.memory import Memory
from engine.kit import dump_steps
from server.accounts.bots import write as bots
from server.http import long_poll
from server.http.app import create_app
from server.kernel.operator_log import Operator
from tests.browser.chromium import Chromium
from tests.kit.patience import PATIENCE
from tests.servers import free
from tests.workers.harness import Sink, about, recipient
from tests.workers.replies.post import Post, door
from tests.year.world import thought
from workers import clock
from workers.auditor import audit_next

WIDTHS = {390: 844, 1000: 800}
ROUND = timedelta(hours=12)
LINK = re.compile(r"http://127\.0\.0\.1:\d+(/\S+)")


class Months:
    """The server, its time and its mail."""

    def __init__(self, post: Post, browser: Chromium, inbound: int, pictures: Path | None, folder: Path) -> None:
        self.post, self.browser, self.inbound, self.pictures, self.folder = post, browser, inbound, pictures, folder
        self.url = post.settings.public_url
        self.seen, self.shots = 0, 0
        self.titles: set[str] = set()
        self.people: list[Somebody] = []
        self.house: list[HouseSeat] = []

    def add_house(self, name: str) -> None:
        self.house.append(HouseSeat(self, name, self.folder / name))

    def later(self, **span: float) -> None:
        """Time passes, in rounds of the clock; mails go out meanwhile."""
        for one in self.people:
            if one.page.url != "about:blank":  # a page that nobody looks at would ask for news all the time
                one.page.goto("about:blank")
        until = self.post.time + timedelta(**span)
        while self.post.time < until:
            self.post.time = min(until, self.post.time + ROUND)
            self.work()

    def work(self) -> None:
        """What the workers do now."""
        for one in self.house:
            one.answer()
        clock.round_of(self.post.ctx)
        audit_next(self.post.ctx)
        self.post.react()
        for mail in self.post.sink.mails[self.seen :]:
            self.look_at_mail(mail)
        self.seen = len(self.post.sink.mails)

    def look_at_mail(self, mail: EmailMessage) -> None:
        """One of each kind is kept; the others differ by their position alone."""
        title = about(mail).rpartition("] ")[2]
        if self.pictures is None or title in self.titles:
            return
        self.titles.add(title)
        page = self.browser.new_page()
        body = mail.get_body(("html",))
        assert body is not None
        page.set_content(shown(mail, body.get_content()))
        self._keep(page, "mail-" + re.sub(r"\W+", "-", f"{mail['To'].addresses[0].username} {title}"))
        page.close()

    def _keep(self, page: Page, name: str) -> None:
        assert self.pictures is not None
        self.shots += 1
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=self.pictures / f"{self.shots:03}-{name}-{width}.png", full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is too wide"

    def keep(self, page: Page, name: str) -> None:
        if self.pictures is not None:
            self._keep(page, name)


class HouseSeat:
    """A house player, who answers over the API whenever the workers run."""

    def __init__(self, months: Months, name: str, folder: Path) -> None:
        post = months.post
        number, token = bots.create_house(post.services, Operator("kim", "a test"), name, "easy")
        self.web = httpx.Client(timeout=PATIENCE)
        self.api, self.key, self.folder = Api(months.url, token, self.web), keys.make(), folder
        self.post, self.players, self.dice = post, dict[str, Player](), random.Random(name)
        session.register_key(session.Session(self.api, str(number), name), self.key)

    def now(self) -> float:
        return self.post.time.timestamp()

    def player(self, game: str) -> Player:
        if game not in self.players:
            memory = Memory(self.folder / game)
            more = {"clock": self.now, "bot": True, "unsigned": True, "tell": lambda _: None}
            self.players[game] = Player(self.api, game, self.key, memory, **more)
        return self.players[game]

    def answer(self) -> None:
        """Sit down where a seat is kept, and move wherever one is owed."""
        for asked in self.api.get("/v1/me/invitations").value:
            player = self.player(asked["game"])
            (player.join if asked["act"] == "join" else player.take)(asked["seat"], either=True)
        while turns := self.api.get("/v1/me/turns").value:
            for one in turns:
                table = self.post.table(one["game"])
                self.player(one["game"]).move(dump_steps(thought(table, one["seat"], self.dice)))


class Somebody:
    """A person with a browser of their own and a mailbox."""

    def __init__(self, months: Months, name: str, width: int = 390) -> None:
        self.months, self.name, self.address = months, name, f"{name.lower()}@example.org"
        viewport = {"width": width, "height": WIDTHS[width]}
        self.context: BrowserContext = months.browser.new_context(viewport=viewport)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.width = width
        months.people.append(self)

    # --- Pages ------------------------------------------------------------------------------------------------------

    def go(self, path: str, name: str = "") -> Page:
        """Open a page, at the server's time."""
        self.page.clock.set_fixed_time(self.months.post.time)
        self.page.goto(path if path.startswith("http") else f"{self.months.url}{path}")
        if name:
            self.look(name)
        return self.page

    def look(self, name: str) -> None:
        self.months.keep(self.page, f"{self.name}-{name}")
        self.page.set_viewport_size({"width": self.width, "height": WIDTHS[self.width]})

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=re.compile(f"^{name}")).click()

    def press(self, button: str | re.Pattern[str]) -> None:
        self.page.get_by_role("button", name=button).first.click()

    def sign_in(self, path: str = "/login") -> None:
        """By the form, the mail and the button behind its link."""
        if path:
            self.go(path)
            self.page.get_by_label("Email address").fill(self.address)
            self.press("Send me a link")
        expect(self.page.get_by_role("heading", name="Check your email")).to_be_visible()
        self.months.work()
        self.go(self.link("/login/"), "sign-in")
        if self.page.get_by_label("Name at the table").count():
            self.page.get_by_label("Name at the table").fill(self.name)
        self.press(f"Sign in as {self.address}")
        self.page.wait_for_url(lambda url: "/login/" not in url, wait_until="load")

    def keep_code(self) -> None:
        """Answer the dialog of the first key."""
        dialog = self.page.get_by_role("dialog", name="Your recovery code")
        dialog.get_by_label("Last four characters").fill(dialog.locator(".code").inner_text()[-4:])
        dialog.get_by_role("button", name="I have saved it").click()
        expect(dialog).to_have_count(0)

    def sit_down(self, button: str) -> None:
        """Take a seat: the first time with a new key, and at this table with consent to unsigned moves."""
        self.press(re.compile(f"^{button}"))
        code = self.page.get_by_role("dialog", name="Your recovery code")
        consent = self.page.locator("#seat-consent button:not([data-waits])")
        expect(code.or_(consent).first).to_be_visible()
        if code.count():
            self.keep_code()
        expect(consent).to_be_visible()
        self.look("consent")
        consent.click()
        expect(self.page.get_by_role("button", name=re.compile(f"^{button}"))).to_have_count(0)

    # --- Mails ------------------------------------------------------------------------------------------------------

    @property
    def mails(self) -> list[EmailMessage]:
        return [one for one in self.months.post.sink.mails if recipient(one).addr_spec == self.address]

    @property
    def subjects(self) -> list[str]:
        return [str(one["Subject"]) for one in self.mails]

    def link(self, part: str) -> str:
        """The path of the newest link with this in it."""
        for mail in reversed(self.mails):
            body = mail.get_body(("plain",))
            assert body is not None
            found = [path for path in LINK.findall(body.get_content()) if part in path]
            if found:
                return found[-1]
        raise AssertionError(f"{self.name} has no mail with a link to {part}")

    def reply(self, text: str) -> list[str]:
        """Answer the newest mail that can be answered, through the real way in; returns the outcome."""
        mail = [one for one in self.mails if one["Reply-To"]][-1]
        raw = self.months.post.written(mail, text)
        with smtplib.SMTP("127.0.0.1", self.months.inbound, timeout=PATIENCE) as relay:
            relay.sendmail(self.address, [mail["Reply-To"].addresses[0].addr_spec], raw)
        did = self.months.post.read()
        self.months.work()
        return did


def shown(mail: EmailMessage, html: str) -> str:
    """The HTML with its pictures, as a mail program puts them in."""
    for part in mail.walk():
        if part.get_content_maintype() == "image":
            data = base64.b64encode(part.get_payload(decode=True)).decode()
            html = html.replace(
                f"cid:{part['Content-ID'].strip('<>')}", f"data:{part.get_content_type()};base64,{data}"
            )
    return html


def _dated(post: Post, answer: Response) -> Response:
    answer.date = post.time
    return answer


@contextmanager
def opened(folder: Path, browser: Chromium, monkeypatch: Any, pictures: Path | None) -> Iterator[Months]:
    """A server for one table, with nobody but a house player."""
    closing = threading.Event()
    # A page that waits for news waits here without looking, since a test opens it again when there is some.
    monkeypatch.setattr(long_poll.LongPolls, "until", lambda self, services, found, seconds: closing.wait(seconds))
    monkeypatch.setattr("tests.workers.harness.PEOPLE", ())
    (port,) = free.ports(1)
    sink = Sink()
    post = Post(f"sqlite:///{folder / 'house.db'}", sink, public_url=f"http://127.0.0.1:{port}", log_level="ERROR")
    app = create_app(services=post.services)
    app.after_request(partial(_dated, post))  # a page compares its device's clock with the date of an answer
    web = make_server("127.0.0.1", port, app, threaded=True)
    thread = threading.Thread(target=web.serve_forever, daemon=True)
    thread.start()
    with door(post) as inbound:
        months = Months(post, browser, inbound, pictures, folder)
        try:
            yield months
        finally:
            for one in months.people:
                browser.end(one.context)
            for player in months.house:
                player.web.close()
            closing.set()
            web.shutdown()
            web.server_close()
            thread.join(PATIENCE)
            post.close()
            sink.stop()
