"""Acts signed in a real browser: whole games beside the reference client, and failing connections."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import psutil
import pytest

from engine.record.audit import audit
from engine.record.signed import keys
from tests.browser.hands import DO, hand, program, table

pytestmark = pytest.mark.slow

ROLL, HOLD = {"do": "roll"}, {"do": "hold"}
MOVES = "**/v1/games/*/moves"
STARTED = "(given) => { window.sent = (%s)(given); }"  # without waiting
ENDED = "() => window.sent"


@pytest.fixture
def people(site):
    """New people for each test: links to one address are limited."""
    return site.person("Ann"), site.person("Ben")


@pytest.fixture
def seated(people, visit, tmp_path):
    """Ann in a browser and Ben by the reference client, at a table; `Posted` is what the browser sends as moves."""

    def seated(key="pig", seat=0, **chosen):
        ann, ben = people
        game = table(ann, key, **chosen)
        at = hand(visit(ann), ann, game)
        at.do("join", seat)
        other = program(ben, game, tmp_path)
        other.join(1 - seat)
        other.sync()
        at.do("check")
        return at, other, posted(at.page)

    return seated


def posted(page) -> list[str]:
    """The JWS of each move that the page sends, the latest last."""
    sent: list[str] = []
    page.on("request", lambda asked: asked.url.endswith("/moves") and sent.append(asked.post_data_json["jws"]))
    return sent


def starts(at, act, *given) -> None:
    """Start an act without waiting; `ended` waits."""
    asked = {"account": at.person.account, "id": at.game, "named": at.named, "act": act, "given": list(given)}
    at.page.evaluate(STARTED % DO, asked)


@pytest.mark.parametrize(("key", "options"), [("pig", {"goal": 10}), ("bids", {})])
def test_a_whole_game_of_signed_acts(seated, key, options):
    """An open and a hidden game, each act checked by both clients; the bundle holds."""
    ann, ben, _ = seated(key, options=options)
    while ann.do("check")["stage"] == "running":
        mine = ann.person.session.api.get(f"/v1/games/{ann.game}/legal").value
        if mine:
            ann.move(mine[-1]["command"])
        elif (legal := ben.legal()) and ben.wait():
            ben.move([legal[-1]["command"]])
    assert ann.do("check")["seat"] == 0
    assert (ann.do("kept")["opened"] > 3) == (key == "bids")  # the seat's secrets were checked on arrival
    report = audit(ben.bundle())
    assert (report.verdict, report.stage) == ("holds", "finished")


# --- nobody answers ---------------------------------------------------------------------------------------------------


def test_an_act_interrupted_by_going_offline_is_sent_again(seated):
    """It is stored; once the browser is online again the same bytes are sent, and logged once."""
    ann, _, sent = seated()
    ann.page.route(MOVES, lambda route: route.abort())
    with ann.page.expect_event("requestfailed"):
        starts(ann, "move", [ROLL])
    assert [act["refused"] for act in ann.do("pending")] == [None]
    ann.page.context.set_offline(offline=True)
    ann.page.unroute(MOVES)
    ann.page.context.set_offline(offline=False)
    got = ann.page.evaluate(ENDED)["value"]
    assert got["kind"] == "moved"
    assert set(sent) == {got["jws"]}
    assert len(sent) > 1
    assert ann.do("pending") == []


def test_an_act_with_a_lost_answer_is_found_in_the_log(seated):
    """The page sends nothing again."""
    ann, ben, sent = seated()
    ann.page.route(MOVES, lambda route: (route.fetch(), route.abort()))
    size = ben.table.size
    got = ann.move(ROLL)
    assert (got["seq"], got["kind"]) == (size, "moved")
    assert sent == [got["jws"]]


def test_a_reload_sends_an_unanswered_act_again(seated):
    """Before anything else is signed."""
    ann, ben, sent = seated()
    ann.page.route(MOVES, lambda route: route.abort())
    with ann.page.expect_event("requestfailed"):
        starts(ann, "move", [ROLL])
    ann.page.reload()
    ann.page.unroute(MOVES)
    [became] = ann.do("again")
    assert (became["seq"], became["problem"]) == (ben.table.size, None)
    assert len(set(sent)) == 1
    ben.sync()
    assert ben.log.entries[became["seq"]].body["jws"] == sent[0]


def test_an_act_survives_a_restart_of_the_server(seated, site):
    """The web server is killed as the act arrives, and comes back: the same bytes are sent until they are answered."""
    ann, _, sent = seated()
    web = site.house.named("gunicorn")

    def killed(route):
        for one in web:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        route.continue_()

    ann.page.route(MOVES, killed)
    got = ann.tries("move", [ROLL])
    while "error" in got:
        assert got["error"] in ("NoAnswer", "NotSent"), got
        got = ann.tries("again")
    assert len(set(sent)) == 1
    assert ann.do("pending") == []


# --- quicker players and refusals -------------------------------------------------------------------------------------


def test_one_plan_sent_from_two_tabs_is_logged_once(seated):
    """The second tab learns that the game has moved on."""
    ann, _, sent = seated(options={"goal": 100})
    head = ann.do("check")["head"]
    other = type(ann)(ann.page.context.new_page(), ann.person, ann.game)
    other.page.goto(ann.page.url)
    more = posted(other.page)
    for tab in (ann, other):
        starts(tab, "move", [ROLL], head)
    got = [tab.page.evaluate(ENDED) for tab in (ann, other)]
    assert sorted(one.get("code", one.get("value", {}).get("kind")) for one in got) == ["moved", "stale"]
    assert len(sent) + len(more) == 1


def test_an_overtaken_bid_with_the_same_meaning_is_signed_again(seated):
    """The same sealed text on the new head, without a question."""
    ann, ben, sent = seated("bids")
    bid = ann.person.session.api.get(f"/v1/games/{ann.game}/legal").value[0]["command"]
    texts = []

    def late(route):
        texts.append(route.request.post_data_json["text"])
        if len(texts) == 1:
            ben.move([ben.legal()[0]["command"]])
        route.continue_()

    ann.page.route(MOVES, late)
    got = ann.move(bid)
    assert got["jws"] == sent[1] != sent[0]
    assert texts[0] == texts[1]
    assert [keys.read_jws(one).payload["seq"] for one in sent] == [got["seq"] - 1, got["seq"]]


def test_after_a_refusal_another_act_needs_consent(seated):
    """A proxy refuses the act: another one for its place is signed only after a warning."""
    ann, ben, sent = seated(options={"goal": 100})
    no = {"type": "about:blank", "title": "No.", "status": 422, "code": "not-active", "detail": "It is not your turn."}
    refused = {"status": 422, "content_type": "application/problem+json", "body": json.dumps(no)}
    ann.page.route(MOVES, lambda route: route.fulfill(**refused))
    assert ann.tries("move", [ROLL])["code"] == "not-active"
    ann.page.unroute(MOVES)
    got = ann.tries("move", [HOLD])
    assert (got["error"], got["code"]) == ("NotSigned", "unsettled")
    assert "either" not in got["says"]
    assert "may still be logged" in got["says"]
    assert len(sent) == 1
    assert ann.do("move", [ROLL, ROLL], None, {"either": True})["seq"] == ben.table.size
    assert ann.do("pending") == []


# --- this device ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_wrong_by_an_hour_needs_consent(seated, hours):
    """The page shows the direction, and signs nothing until the person agrees."""
    ann, _, sent = seated()
    ann.page.clock.set_system_time(datetime.now(UTC) + timedelta(hours=hours))
    got = ann.tries("move", [ROLL])
    assert (got["error"], got["code"]) == ("NotSigned", "wrong-clock")
    assert f"60 minutes {'ahead of' if hours > 0 else 'behind'} the server's" in got["says"]
    assert sent == []


def test_an_entry_dated_before_a_look_without_it_needs_consent(seated):
    """The page warns, and signs nothing until the person has looked at it."""
    ann, ben, sent = seated(seat=1)
    ann.page.clock.set_system_time(datetime.now(UTC) + timedelta(minutes=10))
    ann.do("check")
    ann.page.clock.set_system_time(datetime.now(UTC))
    seq = ben.move([ROLL, ROLL, HOLD]).seq
    got = ann.tries("resign")
    assert (got["error"], got["code"]) == ("NotSigned", "odd-times")
    assert f"Entry {seq} is dated" in got["says"]
    assert sent == []
    assert ann.do("resign", {"odd": True})["kind"] == "resigned"


def test_a_missing_key_is_reported(seated):
    """A cleared browser signs nothing with another key."""
    ann, _, sent = seated()
    ann.page.evaluate("async (account) => (await import('/static/keys/store.js')).erase(account)", ann.person.account)
    got = ann.tries("move", [ROLL])
    assert (got["error"], got["code"]) == ("NotSigned", "no-key")
    assert sent == []
