"""One stream for several accounts, through the real web server and the real process that holds it."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.kit.patience import until
from tests.server.harness import Player
from tests.servers import patient
from tests.workers.streams.conftest import Site
from tests.workers.streams.reader import Reader
from tests.workers.streams.told import mine, shape, shared, stored, table, tell_many

pytestmark = pytest.mark.slow
PASS = [{"do": "bid", "amount": 0}]
UNKNOWN = "sm_" + "A" * 43


def begun(stream: Reader, count: int) -> list[dict]:
    """The first events: which accounts are followed, and which are not."""
    return [json.loads(stream.first["data"]), *stream.events(count - 1)]


def assert_documented(events: list[dict]) -> None:
    """By the schema of an event."""
    document = json.loads(Path("openapi/openapi.json").read_text())
    schema = {"$ref": "#/components/schemas/SharedEvent", "components": document["components"]}
    assert [[*Draft202012Validator(schema).iter_errors(event)] for event in events] == [[]] * len(events)


def of(events: list[dict], index: int) -> list[tuple[int, str, int]]:
    return shape([event for event in events if event["index"] == index])


def another_token(player: Player, *scopes: str) -> dict:
    return player.post("/me/tokens", {"name": "a bot", "scopes": list(scopes)}).get_json()


def revoke(site: Site, player: Player, token: int) -> None:
    assert patient.delete(f"{site.url}/v1/me/tokens/{token}", headers=player.auth).status_code == 204


def use(player: Player) -> int:
    [found] = [one for one in player.get("/me/limits").get_json() if one["name"] == "streams"]
    return found["used"]


def test_events_of_all_accounts_come_with_their_index(site: Site):
    """Each account has its own numbers; the stream sends no `id`."""
    ada, ben = site.people(2)
    with shared(site, (ada, None), (ben, 0)) as stream:
        assert begun(stream, 2) == [
            {"index": 0, "kind": "following", "n": 0},
            {"index": 1, "kind": "following", "n": 0},
        ]
        game = site.hall.game("bids", [ada, ben])
        count = len(stored(site, ada)) + len(stored(site, ben))
        told = stream.events(count)
        assert [of(told, index) for index in (0, 1)] == [stored(site, ada), stored(site, ben)]
        assert {event["game"] for event in told} == {game}
        assert stream.last is None
        assert_documented(told)


def test_an_event_is_that_of_the_accounts_own_stream(site: Site):
    """With its index, and nothing else, added."""
    (ada, ben), _ = table(site)
    with shared(site, (ben, 0), (ada, 2)) as several, mine(site, ada, **{"Last-Event-ID": "2"}) as single:
        begun(several, 2)
        count = len(stored(site, ben)) + len(stored(site, ada)) - 2
        told = [event for event in several.events(count) if event["index"] == 1]
        assert told == [{"index": 1, **event} for event in single.events(len(told))]


def test_a_reader_who_resumes_misses_nothing_and_gets_nothing_twice(site: Site):
    """With the last `n` of each account, across a restart of the process."""
    (ada, ben), game = table(site)
    with shared(site, (ada, 0), (ben, 0)) as stream:
        begun(stream, 2)
        told = stream.events(3)
        site.stop("events")
    ada.move(game, PASS)
    site.start("events")
    last = [max((n for n, _, _ in of(told, index)), default=0) for index in (0, 1)]
    with shared(site, (ada, last[0]), (ben, last[1])) as stream:
        begun(stream, 2)
        told += stream.events(len(stored(site, ada)) + len(stored(site, ben)) - 3)
    assert [of(told, index) for index in (0, 1)] == [stored(site, ada), stored(site, ben)]


def test_a_reader_far_behind_gets_all_pages_of_all_accounts(site: Site):
    """While something of one is unsent, the other one waits."""
    (ada, ben), _ = table(site)
    for one in (ada, ben):
        tell_many(site, one, len(stored(site, one)), 500)
    with shared(site, (ada, 0), (ben, 0), receive=4096) as stream:
        begun(stream, 2)
        told = stream.events(len(stored(site, ada)) + len(stored(site, ben)))
    assert [of(told, index) for index in (0, 1)] == [stored(site, ada), stored(site, ben)]


def test_refused_tokens_are_named_and_the_others_are_followed(site: Site):
    """By their index and the code that a request would get."""
    (ada, ben), game = table(site)
    playing = another_token(ben, "play")["token"]
    with shared(site, (UNKNOWN, 0), (ada, None), (playing, 0)) as stream:
        told = {event["index"]: event for event in begun(stream, 3)}
        assert_documented([*told.values()])
        problems = {index: told[index]["problem"] for index in (0, 2)}
        assert {(one["kind"], index) for index, one in told.items()} == {
            ("refused", 0), ("following", 1), ("refused", 2)
        }  # fmt: skip
        assert {index: (one["status"], one["code"]) for index, one in problems.items()} == {
            0: (401, "bad-token"),
            2: (403, "missing-scope"),
        }
        ada.move(game, PASS)
        assert stream.event()["index"] == 1


def test_a_stream_that_follows_nobody_says_why_and_ends(site: Site):
    """The process holds no stream for it."""
    until(lambda: not any(site.counted().open.values()), "a stream of an earlier test does not end")
    with shared(site, (UNKNOWN, None)) as stream:
        assert [one["kind"] for one in begun(stream, 1)] == ["refused"]
        assert stream.block() is None
    assert not any(site.counted().open.values())


def test_a_revoked_token_ends_its_account_alone(site: Site):
    """The stream says so, and the events of the others go on."""
    (ada, ben), game = table(site)
    made = another_token(ada, "read")
    with shared(site, (made["token"], None), (ben, None)) as stream:
        begun(stream, 2)
        assert (use(ada), use(ben)) == (1, 1)
        revoke(site, ada, made["id"])
        told = stream.event()
        assert (told["index"], told["kind"], told["problem"]["code"]) == (0, "refused", "bad-token")
        assert (use(ada), use(ben)) == (0, 1)
        ada.move(game, PASS)
        assert stream.event()["index"] == 1
    until(lambda: use(ben) == 0)


def test_the_stream_ends_with_its_last_account(site: Site):
    """After the event that says why."""
    (ada, ben), _ = table(site)
    made = [another_token(one, "read") for one in (ada, ben)]
    with shared(site, *((one["token"], None) for one in made)) as stream:
        begun(stream, 2)
        for player, one in zip((ada, ben), made, strict=True):
            revoke(site, player, one["id"])
            assert stream.event()["kind"] == "refused"
        assert stream.block() is None


def test_an_account_that_is_listed_twice_is_followed_twice(site: Site):
    """By two tokens; the one that is revoked ends alone."""
    (ada, _), game = table(site)
    made = another_token(ada, "read")
    with shared(site, (ada, None), (made["token"], None)) as stream:
        begun(stream, 2)
        revoke(site, ada, made["id"])
        assert stream.event()["index"] == 1
        ada.move(game, PASS)
        assert stream.event()["index"] == 0


def test_events_of_others_are_not_sent(site: Site):
    """Neither those of the same table nor those of other tables."""
    (ada, ben), game = table(site)
    (cy, dee), _ = table(site)
    with shared(site, (ben, None), (cy, None)) as stream:
        begun(stream, 2)
        ada.move(game, PASS)
        own = site.hall.game("bids", [cy, dee])
        told = stream.events(5)
        assert {(event["index"], event["game"]) for event in told} == {(0, game), (1, own)}
        assert of(told, 1) == stored(site, cy)[-4:]


def test_a_lost_number_causes_a_reset_of_its_account(site: Site):
    (ada, ben), _ = table(site)
    with shared(site, (ada, 1000), (ben, None)) as stream:
        begun(stream, 2)
        told = stream.event()
        assert_documented([told])
        assert (told["index"], told["kind"], told["n"]) == (0, "reset", len(stored(site, ada)))


def test_it_counts_once_for_its_address_and_once_for_each_account(site: Site):
    """An account that has too many streams is refused, the others are followed; a full address gets none."""
    (ada, ben), game = table(site)
    site.restart("events", STREAMS_ACCOUNT="2", STREAMS_ADDRESS="3")
    try:
        with ExitStack() as held:
            for _ in range(2):
                begun(held.enter_context(shared(site, (ada, None))), 1)
            assert (site.counted().open["shared"], use(ada)) == (2, 2)
            both = held.enter_context(shared(site, (ada, None), (ben, None)))
            told = {event["index"]: event for event in begun(both, 2)}
            assert (told[0]["problem"]["code"], told[0]["problem"]["facts"]["most"]) == ("too-many", 2)
            ada.move(game, PASS)
            assert both.event()["index"] == 1
            with shared(site, (ben, None)) as refused:
                assert (refused.status, refused.body()["facts"]) == (503, {"of": "address", "most": 3})
    finally:
        site.restart("events")


def test_a_stream_may_have_a_hundred_accounts(site: Site):
    """Each is answered, also if most of them are refused with a long reason."""
    ada, ben = site.people(2)
    playing = another_token(ben, "play")["token"]
    with shared(site, (ada, None), *[(playing, None)] * 98, (ben, None)) as stream:
        told = {event["index"]: event["kind"] for event in begun(stream, 100)}
    assert told == {0: "following", **dict.fromkeys(range(1, 99), "refused"), 99: "following"}


def test_a_stream_whose_accounts_are_all_full_ends(site: Site):
    [ada] = site.people(1)
    site.restart("events", STREAMS_ACCOUNT="1")
    try:
        with mine(site, ada), shared(site, (ada, None)) as refused:
            assert begun(refused, 1)[0]["problem"]["code"] == "too-many"
            assert refused.block() is None
            until(lambda: site.counted().ended.get("full") == 1)
    finally:
        site.restart("events")


def test_no_token_is_logged(site: Site):
    """Neither a valid nor a refused one."""
    [ada] = site.people(1)
    with shared(site, (ada, None), (UNKNOWN, None)) as stream:
        begun(stream, 2)
    assert "/v1/events" in site.log.read_text()
    assert not re.search("sm_[A-Za-z0-9_-]{43}", site.log.read_text())
