"""Signing in with a browser, and pages of other origins, which can neither read nor do anything in a person's name."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

KEPT = "async (account) => void (await (await import('/static/keys/device-key.js')).make(account))"

HAS = "async (account) => (await (await import('/static/keys/device-key.js')).mine(account)) !== null"


@pytest.fixture
def elsewhere():
    """A server on another port of this host that shows `page`; tests open it at the path `/page`."""

    class Elsewhere(BaseHTTPRequestHandler):
        page = ""

        def do_GET(self):
            body = self.page.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Elsewhere, server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


# Each try returns what it has read, or "refused".
TRIES = """async (url) => {
  const read = async (asked) => {
    try { return (await asked()) || "refused"; } catch { return "refused"; }
  };
  const ask = (path, options) => () => fetch(url + path, { credentials: "include", ...options }).then((a) => a.text());
  const element = (name, path) => () => new Promise((keep) => {
    const one = document.createElement(name);
    one.onload = () => keep(`${name} loaded`);
    one.onerror = () => keep("");
    one.src = url + path;
    document.body.append(one);
  });
  const body = JSON.stringify({ name: "Eve" });
  return {
    read: await read(ask("/v1/me")),
    marked: await read(ask("/v1/me", { headers: { "X-Sealed-Move": "page" } })),
    plain: await read(ask("/v1/me", { mode: "no-cors" })),
    patch: await read(ask("/v1/me", { method: "PATCH", body, headers: { "Content-Type": "application/json" } })),
    text: await read(ask("/v1/me/keys/challenge", { method: "POST", mode: "no-cors", body: "{}" })),
    page: await read(ask("/")),
    image: await read(element("img", "/static/seal.svg")),
    script: await read(element("script", "/v1/me")),
    stream: await read(() => new Promise((keep) => {
      const stream = new EventSource(url + "/v1/me/events", { withCredentials: true });
      stream.onmessage = ({ data }) => keep(data);
      stream.onopen = () => keep("open");
      stream.onerror = () => (stream.close(), keep(""));
    })),
    frame: await read(() => new Promise((keep) => {
      const frame = document.createElement("iframe");
      frame.onload = () => { try { keep(frame.contentDocument?.body.innerText); } catch { keep(""); } };
      frame.src = url + "/";
      document.body.append(frame);
    })),
    cookie: document.cookie || "refused",
  };
}"""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_of_another_origin_reads_nothing_and_does_nothing(site, visit, elsewhere, host):
    """Another port of the same host, which is the same site, and another host."""
    ann = site.person("Ann")
    own = visit(ann)
    own.goto(site.url)
    expect(head(own, "Ann")).to_be_visible()
    keys = ann.session.api.get("/v1/me/keys").value
    evil, port = elsewhere
    site_link = f"{site.url}/login/{_fresh_link(site)}"
    evil.page = f"""<!doctype html><title>Elsewhere</title>
        <form id="out" method="post" action="{site.url}/logout"><button>Out</button></form>
        <form id="in" method="post" action="{site_link}"><button>In</button></form>"""
    page = own.context.new_page()
    page.goto(f"http://{host}:{port}/")
    found = page.evaluate(TRIES, site.url)
    assert set(found.values()) == {"refused"}, json.dumps(found)
    for button in ("Out", "In"):
        page.goto(f"http://{host}:{port}/")
        page.get_by_role("button", name=button).click()
        expect(page.get_by_text("did not come from a page of this server")).to_be_visible()
    own.reload()
    expect(head(own, "Ann")).to_be_visible()
    assert ann.session.api.get("/v1/me/keys").value == keys


def test_a_window_opened_by_another_page_reveals_nothing(site, visit, elsewhere):
    """The opener gets no handle on the signed-in page, and it does not show in a frame."""
    ann = site.person("Ann")
    page = visit(ann)
    evil, port = elsewhere
    evil.page = (
        f"""<!doctype html><title>Elsewhere</title><a href="{site.url}/" target="_blank" rel="opener">Open</a>"""
    )
    page.goto(f"http://127.0.0.1:{port}/")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open").click()
    popup = opened.value
    expect(head(popup, "Ann")).to_be_visible()
    assert popup.evaluate("window.opener") is None


def test_a_person_signs_in_by_the_link_and_out_by_a_button(site, visit):
    """The plain button works without the page's scripts."""
    page = visit(java_script_enabled=False)
    page.goto(f"{site.url}/login")
    site.sign_in(page, "ben.of.origins@players.example", "Ben <b>")
    expect(head(page, "Ben <b>")).to_be_visible()
    [cookie] = page.context.cookies()
    assert cookie["name"] == f"sealedmove-{site.house.port}"
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Lax", "/")
    page.get_by_role("button", name="Sign out").click()
    expect(head(page, "Sign in")).to_be_visible()
    assert page.context.cookies() == []


def test_a_browser_with_another_accounts_key_asks_first(site, visit):
    """That account is signed out, but its key is still here; no other account gets it."""
    ann, ben = site.person("Ann"), site.person("Ben")
    page = visit(ann)
    page.goto(f"{site.url}/v1/docs")
    page.evaluate(KEPT, ann.account)
    page.context.clear_cookies()
    page.goto(f"{site.url}/login/{_fresh_link(site, ben.address)}")
    button = page.get_by_role("button", name=f"Sign in as {ben.address}")
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("holds a key of another account")
    assert page.context.cookies() == []
    button.click()
    expect(head(page, "Ben")).to_be_visible()
    assert [page.evaluate(HAS, one.account) for one in (ann, ben)] == [True, False]
    page.goto(f"{site.url}/login/{_fresh_link(site, ben.address)}")
    assert page.evaluate("async () => (await import('/static/pages/sign-in.js')).hasOthers([])") is True


COUNT = "() => { window.sent = 0; HTMLFormElement.prototype.submit = () => void (window.sent += 1); }"
LOOKED = "async () => void (await (await import('/static/pages/sign-in.js')).hasOthers([]))"  # as after each press


def test_a_double_click_sends_one_sign_in(site, visit):
    """The link works once: of two requests only the first one would get a session, and the browser drops its answer."""
    ben, page = site.person("Ben"), visit()
    page.goto(f"{site.url}/login/{_fresh_link(site, ben.address)}")
    page.evaluate(COUNT)
    button = page.get_by_role("button", name=f"Sign in as {ben.address}")
    button.click()
    page.wait_for_function("() => sent === 1")
    button.click()
    page.evaluate(LOOKED)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate("sent") == 1
    page.reload()
    button.click()
    expect(head(page, "Ben")).to_be_visible()


def head(page, name):
    """A link in the head of a page; a signed-in person's name is there."""
    return page.get_by_role("navigation", name="You").get_by_role("link", name=name, exact=True)


def _fresh_link(site, address="eve@players.example") -> str:
    """The token of a new link."""
    site.api.post("/v1/login", {"email": address, "name": "Eve"})
    return site.link(address)
