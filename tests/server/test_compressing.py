"""Compressed answers: which are, which never are because their length could reveal a secret, how large a visit is."""

import gzip
import re
from urllib.parse import urljoin

import brotli
import pytest

from tests.server.harness import GONE, Client, Harness, Player, sqlite_url

ASKS = {"Accept-Encoding": "gzip, br"}
OWN = {**ASKS, "Sec-Fetch-Site": "same-origin"}
COMMENTS = re.compile(r"^\s*(?://|/?\*).*$", re.MULTILINE)
IMPORTED = re.compile(r"""(?:from|import)\s*\(?["'](\.[\w./-]+)["']""")
MOST = 150_000  # bytes of a first visit, without the picture


def coding(answer) -> str | None:
    return answer.headers.get("Content-Encoding")


@pytest.fixture
def ada(hall: Harness) -> Client:
    """A client that is signed in; each test sets the browser's headers."""
    browser = hall.browser()
    browser.sign_in(hall, "ada@example.org", "Ada")
    browser.browses = False
    return browser


@pytest.mark.parametrize(
    "path", ["/", "/v1/docs", "/v1/openapi.json", "/v1/types", "/static/style.css", "/static/api/api.js", "/play/tikal"]
)
def test_pages_files_and_data_are_compressed_for_clients_that_accept_it(hall: Harness, path: str):
    """They decode to the same bytes; a client that accepts no coding gets them plain, and caches see `Vary`."""
    with hall.client.get(path) as plain, hall.client.get(path, headers=ASKS) as packed:
        assert (coding(plain), coding(packed)) == (None, "br")
        assert brotli.decompress(packed.get_data()) == plain.get_data()
        assert len(packed.get_data()) < len(plain.get_data()) / 2
        assert "Accept-Encoding" in packed.headers["Vary"]
        assert "Accept-Encoding" in plain.headers["Vary"]
    with hall.client.get(path, headers={"Accept-Encoding": "gzip"}) as other:
        assert gzip.decompress(other.get_data()) == plain.get_data()


def test_a_tag_is_the_same_in_every_coding(hall: Harness, two: list[Player]):
    """A client that has the answer has it in every coding; held requests use the same tag."""
    path = f"/v1/games/{hall.game('bids', two)}"
    tags = {hall.client.get(path, headers=sent).headers["ETag"] for sent in ({}, ASKS, {"Accept-Encoding": "gzip"})}
    [tag] = tags
    for sent in ({}, ASKS):
        assert hall.client.get(path, headers={**sent, "If-None-Match": tag}).status_code == 304
    turns = two[0].get("/me/turns", headers=ASKS)
    assert two[0].get("/me/turns", headers={**ASKS, "If-None-Match": turns.headers["ETag"]}).status_code == 304


def test_answers_to_cross_site_requests_are_not_compressed(ada: Client):
    """The other site could choose text next to the player's own, again and again, and measure the length on the way."""
    for site in ("cross-site", "same-site"):
        goes = {**GONE, "Sec-Fetch-Site": site, **ASKS}
        answer = ada.get("/", headers=goes)
        assert (">Ada</a>" in answer.get_data(as_text=True), coding(answer)) == (True, None)
        assert coding(Client(ada.application).get("/", headers=goes)) == "br"
    assert coding(ada.get("/", headers=GONE | ASKS)) == "br"
    assert coding(ada.get("/v1/types", headers=OWN)) == "br"


def test_a_preview_is_compressed(hall: Harness, two: list[Player]):
    """It carries the picture, and comes at every step of a draft: a telephone would wait half a second for it."""
    path = f"/games/{hall.game('pig', two)}/preview"
    plain, packed = (two[0].post(path, {"commands": [{"do": "roll"}]}, headers=headers) for headers in ({}, ASKS))
    assert (coding(plain), coding(packed)) == (None, "br")
    assert brotli.decompress(packed.get_data()) == plain.get_data()
    assert len(packed.get_data()) < len(plain.get_data()) / 2


def test_answers_with_a_new_secret_are_not_compressed(hall: Harness, two: list[Player]):
    """Neither a new token beside its name nor a page behind a mailed link."""
    made = two[0].post("/me/tokens", {"name": "n" * 40, "scopes": ["read"]}, headers=ASKS)
    assert (made.status_code, coding(made)) == (201, None)
    hall.client.post("/v1/login", json={"email": "ben@example.org"})
    page = hall.client.get(f"/login/{hall.link('ben@example.org')}", headers=ASKS)
    assert (page.status_code, coding(page)) == (200, None)


def test_a_file_with_its_version_in_the_address_is_cached_for_good(hall: Harness):
    """By its bare name, or by another version, it is requested again."""
    [versioned] = re.findall('href="(/static/[^"]*/style.css)"', hall.client.get("/").get_data(as_text=True))
    for path, kept in ((versioned, True), ("/static/style.css", False), ("/static/0123456789/style.css", False)):
        with hall.client.get(path) as file:
            assert ("immutable" in file.headers["Cache-Control"]) is kept, path
            tag = file.headers["ETag"]
        with hall.client.get(path, headers={"If-None-Match": tag}) as again:
            assert again.status_code == 304, path


def test_a_cached_file_does_not_show_the_budget_of_one_address(tmp_path, open_house):
    """Caches serve it to others too; the request still counts."""
    hall = open_house(sqlite_url(tmp_path), limit_address="50/hour")
    page = hall.client.get("/login")
    [versioned] = re.findall('href="(/static/[^"]*/style.css)"', page.get_data(as_text=True))
    assert page.headers["X-RateLimit-Remaining"] == "49"
    with hall.client.get(versioned) as kept:
        assert not [name for name, _ in kept.headers if name.startswith("X-RateLimit")]
    assert hall.client.get("/login").headers["X-RateLimit-Remaining"] == "47"


@pytest.mark.slow
def test_a_first_visit_of_the_turn_page_is_small(hall: Harness, two: list[Player]):
    """The page, its style and all its scripts as they are sent, without the picture."""
    game = hall.game("tikal", two)
    paths, seen, size = [f"/games/{game}"], set(), 0
    while paths:
        path = paths.pop()
        if path not in seen:
            seen.add(path)
            with hall.client.get(path, headers=ASKS) as answer:
                assert (answer.status_code, coding(answer)) in ((200, "br"), (200, None)), path
                size += len(answer.get_data())
                text = (brotli.decompress if coding(answer) else bytes)(answer.get_data()).decode()
            paths += re.findall(r'(?:src|href)="(/static/[^"]+[.](?:js|css|svg))"', text)
            paths += [urljoin(path, name) for name in IMPORTED.findall(COMMENTS.sub("", text))]
            assert "/static/" not in path or "immutable" in answer.headers["Cache-Control"], path
    assert any(path.endswith("/game.js") for path in seen)
    assert size < MOST, f"{size} bytes in {len(seen)} files"
