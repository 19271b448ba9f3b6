"""A server that lies to a browser: the page reports the lie, keeps the evidence, and signs nothing.

Playwright's `route` changes the real server's answers; forgeries are signed with the server's own key.
"""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from client import game_sources
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.signed import note
from tests.browser.hands import Hand, hand, program, table

pytestmark = pytest.mark.slow

Page = dict[str, Any]  # of a log, as the server answers it
LOG = "**/v1/games/*/log?*"
ACTS = ("/moves", "/join", "/resign", "/keys", "/offer", "/leave", "/take")
EXPORT = """async ([account, id]) => {
  const { checkedGame } = await import('/static/game/checked-game.js');
  return (await checkedGame(account, id).export()).text();
}"""


class Liar:
    """Stands between a page and the log of one game. `posted` are the acts of the page."""

    def __init__(self, hand: Hand, line: str) -> None:
        self.hand, self.line = hand, line
        self.posted: list[str] = []
        hand.page.on("request", lambda asked: asked.url.endswith(ACTS) and self.posted.append(asked.url))

    def says(self, change) -> None:
        """`change` makes another page of the log from the true one."""

        def answer(route):
            got = route.fetch()
            route.fulfill(response=got, json=change(got.json()))

        self.hand.page.route(LOG, answer)

    def tells(self, page_after) -> None:
        """Show a made-up log, by the number after which it is requested."""

        def answer(route):
            after = int(parse_qs(urlsplit(route.request.url).query)["after"][0])
            route.fulfill(json=page_after(after))

        self.hand.page.route(LOG, answer)

    def note(self, size: int, last: bytes) -> str:
        """The server's own note on a log of this size, the last entry with this hash."""
        site = self.hand.person.site
        return note.write(site.url.removeprefix("http://"), self.hand.game, size, last, site.seed())

    def signed(self, page: Page, line: str) -> Page:
        """Another last entry, with the server's own note on it."""
        size = json.loads(line)["seq"] + 1
        return {**page, "entries": [*page["entries"][:-1], line], "note": self.note(size, leaf(line.encode()))}


def changed(line: str, **members: Any) -> str:
    return canonical.dumps({**json.loads(line), **members}).decode()


# --- the lies ---------------------------------------------------------------------------------------------------------


def another_die(liar: Liar, page: Page) -> Page:
    draws = json.loads(liar.line)["draws"]
    n, result = draws["got"][0]
    got = [[n, (result + 1) % n], *draws["got"][1:]]
    return liar.signed(page, changed(page["entries"][-1], draws={**draws, "got": got}))


def another_signature(liar: Liar, page: Page) -> Page:
    line = json.loads(page["entries"][-1])
    head, payload, signature = line["jws"].split(".")
    broken = bytearray(canonical.from_base64url(signature))
    broken[40] ^= 1
    return liar.signed(
        page, changed(page["entries"][-1], jws=f"{head}.{payload}.{canonical.to_base64url(bytes(broken))}")
    )


def a_line_under_its_old_note(liar: Liar, page: Page) -> Page:
    return {**page, "entries": [changed(page["entries"][-1], state=canonical.to_base64url(bytes(32)))]}


def a_dead_chain(liar: Liar, page: Page) -> Page:
    return liar.signed(page, changed(page["entries"][-1], prev=canonical.to_base64url(bytes(32))))


def dated_before_the_last_entry(liar: Liar, page: Page) -> Page:
    return liar.signed(page, changed(page["entries"][-1], at="2020-01-01T00:00:00Z"))


def a_note_by_nobody(liar: Liar, page: Page) -> Page:
    body, _, signed = page["note"].partition("\n\n")
    name, text = signed.strip().rsplit(" ", 1)
    data = bytearray(base64.b64decode(text))
    data[20] ^= 1
    return {**page, "note": f"{body}\n\n{name} {base64.b64encode(bytes(data)).decode()}\n"}


def fewer_entries(liar: Liar, page: Page) -> Page:
    """Remove the last entry that this browser has checked, with a signed checkpoint."""
    before = json.loads(liar.line)
    return {**page, "entries": [], "note": liar.note(before["seq"] - 1, b"\x07" * 32)}


LIES = {
    another_die: "wrong-draw",
    another_signature: "bad-signature",
    a_line_under_its_old_note: "fork",
    a_dead_chain: "broken-chain",
    dated_before_the_last_entry: "time-goes-back",
    a_note_by_nobody: "bad-signature",
    fewer_entries: "fork",
}


@pytest.fixture
def people(site):
    """New ones for each test: the server limits the sign-in links of an address."""
    return site.person("Ann"), site.person("Ben")


@pytest.fixture
def unseen(people, visit, tmp_path):
    """Tables with Ann in a browser, each with a die in its last entry, which the browser has not seen yet."""
    ann, ben = people
    page = visit(ann)

    def unseen() -> Liar:
        game = table(ann, "pig", options={"goal": 100})
        at = hand(page, ann, game)
        at.do("join", 1)
        other = program(ben, game, tmp_path)
        other.join(0)
        at.do("check")
        return Liar(at, other.move([{"do": "roll"}]).line.decode())

    return unseen


def test_nothing_is_signed_on_a_log_that_failed_a_check(unseen):
    """Each lie is named, stored, and ends signing in this game, after a reload too, until a person clears it."""
    for lie, code in LIES.items():
        liar = unseen()
        liar.says(lambda page, lie=lie, liar=liar: lie(liar, page))
        got = liar.hand.tries("resign")
        assert (got["error"], got["code"]) == ("VerificationError", code), (lie.__name__, got)
        liar.hand.page.unroute(LOG)
        assert liar.hand.tries("resign")["error"] == "VerificationError", lie.__name__
        assert liar.posted == [], lie.__name__
        assert liar.hand.do("kept")["finding"]["code"] == code
        assert liar.hand.do("evidence"), lie.__name__
    liar.hand.page.reload()
    assert liar.hand.tries("resign")["error"] == "VerificationError"
    assert liar.posted == []
    liar.hand.do("clear")
    assert liar.hand.do("resign")["kind"] == "resigned"


def test_a_forked_note_convicts_the_server(unseen, tmp_path):
    """Two checkpoints of one size, both by the server's key: the exported file has both, and `compare` reads it."""
    liar = unseen()
    liar.hand.do("check")
    size = json.loads(liar.line)["seq"] + 1
    forked = liar.note(size, b"\x07" * 32)
    liar.says(lambda page: {**page, "note": forked})
    got = liar.hand.tries("move", [{"do": "roll"}])
    assert (got["error"], got["code"], got["seq"]) == ("VerificationError", "fork", size - 1)
    assert "two histories" in got["says"] or "does not match the log" in got["says"]
    path = tmp_path / "evidence.json"
    path.write_text(liar.hand.page.evaluate(EXPORT, [liar.hand.person.account, liar.hand.game]))
    said = {source.says(size) for source in game_sources.sources_in(path)}
    assert said >= {leaf(liar.line.encode()), b"\x07" * 32}
    assert liar.posted == []


def test_a_fork_is_sent_to_the_server_without_a_token(unseen):
    """Once the evidence is stored, both checkpoints are posted: the server finds that it signed another history."""
    liar = unseen()
    liar.hand.do("check")
    size = json.loads(liar.line)["seq"] + 1
    forked = liar.note(size, b"\x07" * 32)
    liar.says(lambda page: {**page, "note": forked})
    with liar.hand.page.expect_response("**/compare") as answered:
        assert liar.hand.tries("resign")["code"] == "fork"
    answer, asked = answered.value, answered.value.request
    assert answer.json()["relation"] == "fork"
    assert forked in asked.post_data_json["note"]
    assert {"cookie", "authorization"}.isdisjoint(asked.all_headers())
    assert liar.hand.do("kept")["finding"]["code"] == "fork"


def restored(liar: Liar, after: int, **told: Any) -> Page:
    """The last entry that this browser has checked is lost, and the log states it."""
    before = json.loads(liar.line)
    first = {name: before[name] for name in ("v", "game", "seq", "prev", "at")}
    lost = {"size": before["seq"] + 1, "hash": canonical.to_base64url(leaf(liar.line.encode()))}
    line = canonical.dumps({**first, "kind": "restored", **lost, **told}).decode()
    true = liar.hand.person.site.api.get(f"/v1/games/{liar.hand.game}/log?after=-1&limit=1000").value["entries"]
    log = [*true[: before["seq"]], line]
    return {"entries": log[after + 1 :], "note": liar.note(len(log), leaf(line.encode())), "next": None}


def test_the_game_goes_on_after_a_loss_that_the_log_states(unseen):
    """The local copy is replaced, its lines stay as evidence, and the player is warned before anything is signed."""
    liar = unseen()
    liar.hand.do("check")
    size = json.loads(liar.line)["seq"] + 1
    liar.tells(lambda after: restored(liar, after))
    found = liar.hand.do("check")
    assert (found["size"], found["seat"], found["news"]) == (size, 1, ["restored"])
    assert f"The server has lost entry {size - 1} of this game" in found["warnings"][0]
    assert [one["what"] for one in liar.hand.do("evidence")] == ["lost-entries"]
    assert liar.hand.do("evidence")[0]["entries"] == [liar.line]
    assert liar.hand.tries("resign")["code"] == "odd-times"
    assert liar.hand.do("kept")["finding"] is None
    liar.hand.page.reload()
    assert liar.hand.do("check")["size"] == size


def shorter(liar: Liar) -> Page:
    """The log without the last entry that this browser has checked, as an older copy of the database has it."""
    before = json.loads(liar.line)
    return {"entries": [], "note": liar.note(before["seq"], canonical.from_base64url(before["prev"], 32)), "next": None}


def test_entries_that_the_server_has_lost_are_submitted(unseen):
    """The longer checkpoint still binds the server, which gets the entry and its checkpoint; then the game goes on."""
    liar = unseen()
    liar.hand.do("check")
    kept = liar.hand.do("kept")["note"]
    liar.tells(lambda _after: shorter(liar))
    submitted: list[Any] = []

    def take(route):
        submitted.append(route.request.post_data_json)
        liar.hand.page.unroute(LOG)
        route.fulfill(json={"taken": 1, "lacks": None, "stopped": False})

    liar.hand.page.route("**/missing", take)
    liar.hand.do("check")
    assert submitted == [{"entries": [liar.line], "note": kept, "moves": []}]
    assert liar.hand.do("kept")["note"] == kept
    assert liar.hand.do("resign")["kind"] == "resigned"


def test_a_server_that_does_not_take_its_entries_back_is_distrusted(unseen):
    """It has signed for more entries than it shows."""
    liar = unseen()
    liar.hand.do("check")
    liar.tells(lambda _after: shorter(liar))
    assert liar.hand.tries("resign")["code"] == "shortened-log"
    assert liar.posted == []


def test_a_loss_that_is_stated_while_this_browser_submits_its_entry_is_accepted(unseen):
    """The operator was quicker: the entry is refused, and the log says why."""
    liar = unseen()
    liar.hand.do("check")
    refused: list[str] = []
    liar.tells(lambda after: restored(liar, after, size=1 << 20) if refused else shorter(liar))

    def refuse(route):
        refused.append(route.request.url)
        problem = {"code": "entries-given-up", "status": 409}
        route.fulfill(status=409, content_type="application/problem+json", json=problem)

    liar.hand.page.route("**/missing", refuse)
    assert liar.hand.do("check")["news"] == ["restored"]
    assert len(refused) == 1
    assert liar.hand.do("kept")["finding"] is None


@pytest.mark.parametrize("told", [{"hash": canonical.to_base64url(bytes(32))}, {"size": 1 << 20}], ids=str)
def test_a_false_statement_of_a_loss_convicts_the_server(unseen, told):
    """A different end from the known one is a fork; a longer loss explains it."""
    liar = unseen()
    liar.hand.do("check")
    liar.tells(lambda after: restored(liar, after, **told))
    if "size" in told:
        assert liar.hand.do("check")["news"] == ["restored"]
    else:
        assert liar.hand.tries("check")["error"] == "VerificationError"
        assert liar.hand.do("kept")["finding"]["code"] == "fork"


def test_a_longer_note_from_a_mail_stops_signing(unseen):
    """Until the server shows those entries."""
    liar = unseen()
    liar.hand.do("check")
    size = json.loads(liar.line)["seq"] + 1
    said = liar.hand.do("heed", f"> Hello\n> {liar.note(size + 1, bytes(32))}".replace("\n", "\n> "))
    assert said == ["newer"]
    got = liar.hand.tries("resign")
    assert (got["error"], got["code"]) == ("NotSigned", "held-up")
    assert liar.posted == []


def test_an_opening_that_does_not_match_its_commitment_is_found(people, visit, tmp_path):
    """The server shows a seat of a hidden game other events: the page finds it before it signs."""
    ann, ben = people
    at = hand(visit(ann), ann, table(ann, "bids"))
    at.do("join", 1)
    at.page.route("**/openings?*", told_otherwise)
    program(ben, at.game, tmp_path).join(0)
    got = at.tries("resign")
    assert (got["error"], got["code"]) == ("VerificationError", "wrong-opening")
    at.page.unroute("**/openings?*")
    at.do("clear")
    assert at.do("resign")["kind"] == "resigned"


def told_otherwise(route) -> None:
    """Requested by the page itself, since its cookie counts only there."""
    given = route.fetch(headers={**route.request.all_headers(), "Sec-Fetch-Site": "same-origin"})
    openings = given.json()
    openings[-1]["salt"] = canonical.to_base64url(b"\x07" * 32)
    route.fulfill(response=given, json=openings)


def test_the_turn_page_shows_a_finding_before_anything_is_signed(unseen):
    """The player reads the expected and the found value, saves the evidence, and may go on."""
    liar = unseen()
    page = liar.hand.page
    liar.says(lambda shown: another_die(liar, shown))
    page.goto(f"{liar.hand.person.site.url}/games/{liar.hand.game}")
    told = page.get_by_role("alert").filter(has_text="failed a check")
    expect(told).to_contain_text("failed a check, so this browser signs nothing in this game")
    expect(told).to_contain_text(f"At entry{json.loads(liar.line)['seq']}")
    with page.expect_download() as saved:
        told.get_by_role("button", name="Save the evidence").click()
    assert json.loads(saved.value.path().read_text("utf-8"))["finding"]["code"] == "wrong-draw"
    page.unroute(LOG)
    told.get_by_role("button", name="Continue anyway").click()
    expect(told).to_have_count(0)
    assert liar.posted == []
