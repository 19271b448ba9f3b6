"""The device's key in a real browser: stored, not exportable, registered once, shared by two tabs."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow

MAKE = "async (account) => (await (await import('/static/keys/device-key.js')).make(account)).kid"
KEPT = """async (account) => {
  const key = await (await import('/static/keys/device-key.js')).mine(account);
  const out = await crypto.subtle.exportKey('pkcs8', key.key).then(() => true, () => false);
  return { kid: key.kid, extractable: key.key.extractable, out };
}"""


def test_a_key_is_made_once(site, visit):
    """Two tabs that request a key at once get one; it is registered, survives a reload, and cannot be exported."""
    ann = site.person("Ann")
    page = visit(ann)
    page.goto(f"{site.url}/v1/docs")
    other = page.context.new_page()
    other.goto(f"{site.url}/v1/docs")
    both = f"async (account) => Promise.all([({MAKE})(account), ({MAKE})(account)])"
    first, second = page.evaluate(both, ann.account)
    assert first == second == other.evaluate(MAKE, ann.account)
    assert [key["kid"] for key in ann.session.api.get("/v1/me/keys").value] == [first]
    page.reload()
    assert page.evaluate(KEPT, ann.account) == {"kid": first, "extractable": False, "out": False}
