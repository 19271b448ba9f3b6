"""One server for all files of a process that follow each other, one browser for each file, a context for each person.

    def test_a_sentence(site, visit):
        ann = visit(site.person("Ann"))           # a page of a fresh context, signed in
        ann.goto(site.url)
        expect(ann.get_by_role("heading", name="Sealed Move")).to_be_visible()

Wait for something that a person would see, never for time; the report of a failed test has what its pages said.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser import chromium, program
from tests.browser.hands import Hand, hand, table
from tests.browser.hands import program as client_program
from tests.browser.panel import choices, others_turn
from tests.browser.site import Site
from tests.e2e.instance import Instance
from tests.kit import installed
from tests.kit.patience import PATIENCE

expect.set_options(timeout=PATIENCE * 1000)
NEEDS = ("browser", "site", "visit")
SAID = pytest.StashKey[list[str]]()  # by the pages of a test
LEFT_OUT = "no browser"  # tests/conftest.py counts them by it


def pytest_itemcollected(item):
    """Without a browser its tests are left out, as tests/conftest.py reports; with NEED_CHROMIUM no test runs."""
    if set(NEEDS) & set(getattr(item, "fixturenames", ())):
        item.add_marker(pytest.mark.browser)
        if program.path() is None:
            item.add_marker(pytest.mark.skip(reason=f"{LEFT_OUT}: {program.MISSING}"))


@pytest.fixture(scope="module")
def browser():
    """For one file only: Playwright's loop runs in this thread, and other tests have their own."""
    with chromium.running() as running:
        yield running


@pytest.fixture(scope="package")
def site(tmp_path_factory):
    """A whole server, as `make run` starts it, until a test of another folder follows: even when nobody plays, it takes
    a thirtieth of a core. Tests that stop it or change settings open their own."""
    with opened(tmp_path_factory.mktemp("house"), players=1) as site:
        yield site


@contextmanager
def opened(folder, players=0, packages=installed.ENV):
    """With the tests' small games too; `players` are the house players of each level."""
    with httpx.Client(timeout=PATIENCE) as web:
        house = Instance(folder, PLAYERS_EACH=str(players), **packages).start()
        try:
            yield Site(house, web)
        finally:
            if house.process.poll() is None:
                house.stop()


@pytest.fixture
def visit(browser, request):
    """Open a page for somebody: `visit(person, width=360, ...)`; signed out without a person."""
    contexts, said = [], request.node.stash.setdefault(SAID, [])

    def visit(person=None, *, width=1000, height=800, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        if person is not None:
            person.enter(context)
        page = context.new_page()
        page.on("console", lambda told: said.append(f"{told.type}: {told.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on("requestfailed", lambda asked: said.append(f"failed: {asked.url} {asked.failure}"))
        return page

    yield visit
    for context in contexts:
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")  # nobody waits for an answer in progress any more
        browser.end(context)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[pytest.TestReport]:
    """Add the console messages and the failed requests of the pages of a failed test to its report."""
    report = yield
    if report.failed and (said := item.stash.get(SAID, [])):
        report.sections.append(("Pages", "\n".join(said)))
    return report


@pytest.fixture
def seated(site, visit, tmp_path):
    """Ann in a browser, to move, and Ben by the reference client; the turn page is open."""

    def seated(key: str, width: int = 1200, **chosen: Any) -> tuple[Hand, Any]:
        ann, ben = site.person("Ann"), site.person("Ben")
        game = table(ann, key, **chosen)
        ann = hand(visit(ann, width=width, has_touch=width < 600), ann, game)
        ann.do("join", 0)
        ben = client_program(ben, game, tmp_path)
        ben.join(1)
        others_turn(ann, ben)
        ann.page.goto(f"{site.url}/games/{game}")
        expect(choices(ann.page).first).to_be_visible()
        return ann, ben

    return seated
