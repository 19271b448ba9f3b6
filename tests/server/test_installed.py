"""The installable app: manifest, icons, the service worker, and the icon of a tab with a count."""

import re
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from server.http.page import STATIC
from tests.tooling.icons import icons


def test_the_manifest_makes_the_site_installable(hall):
    """A name, a window of its own, and icons of the sizes that it names, one of them to be cut by the system."""
    got = hall.client.get("/manifest.webmanifest")
    assert got.mimetype == "application/manifest+json"
    said = got.get_json()
    assert (said["id"], said["start_url"], said["scope"], said["display"]) == ("/", "/", "/", "standalone")
    for icon in said["icons"]:
        answer = hall.client.get(icon["src"])
        with answer, Image.open(BytesIO(answer.data)) as image:
            assert icon["sizes"] == f"{image.width}x{image.height}"
    assert [icon["purpose"] for icon in said["icons"]] == ["any", "any", "maskable"]


@pytest.mark.parametrize("name", sorted(icons()))
def test_the_icons_are_drawn_from_our_own_seal(name):
    """`python -m tests.tooling.icons` writes them again."""
    with Image.open(STATIC / "icons" / name) as kept, Image.open(BytesIO(icons()[name])) as drawn:
        difference = ImageChops.difference(kept.convert("RGBA"), drawn.convert("RGBA"))
    assert max(high for _, high in difference.getextrema()) <= 8  # another version of the renderer may round


def test_the_service_worker_cannot_serve_an_old_script(hall):
    """At the root, checked at each use; it has no fetch handler, opens no cache and imports nothing."""
    got = hall.client.get("/sw.js")
    assert (got.status_code, got.mimetype, got.headers["Cache-Control"]) == (200, "text/javascript", "no-cache")
    code = re.sub(r"^//.*$|/\*\*.*?\*/", "", got.get_data(as_text=True), flags=re.MULTILINE)
    assert re.findall(r'addEventListener\("(\w+)"', code) == [
        "install",
        "push",
        "notificationclick",
        "pushsubscriptionchange",
    ]
    assert not re.search(r"\bcaches\b|importScripts|\bimport\b|onfetch", code)


def test_every_page_names_the_manifest_and_may_start_the_worker(hall):
    """By its policy: both from this server alone."""
    page = hall.client.get("/")
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page.get_data(as_text=True)
    policy = page.headers["Content-Security-Policy"]
    assert "manifest-src 'self'" in policy
    assert "worker-src 'self'" in policy


@pytest.mark.parametrize(("count", "says"), [(1, "1"), (9, "9"), (10, "9+")])
def test_the_icon_of_a_tab_shows_how_many_games_wait(hall, count, says):
    """Our seal with a number on it."""
    got = hall.client.get(f"/seal/{count}.svg")
    assert got.mimetype == "image/svg+xml"
    assert f">{says}</text></svg>" in got.get_data(as_text=True)
    assert hall.client.get("/seal/11.svg").status_code == 404
