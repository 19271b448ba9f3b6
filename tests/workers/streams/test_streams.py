"""Streams through the real web server and the real process that holds them."""

from __future__ import annotations

import re
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest
import redis
import sqlalchemy as sa

from server.kernel.config import ConfigError
from server.kernel.db.models import Entry
from server.play.write import expire
from tests.kit.absent import not_told
from tests.kit.patience import PATIENCE, until
from tests.server.harness import Player
from tests.servers import free, patient
from tests.workers.streams.conftest import Site
from tests.workers.streams.reader import Reader
from tests.workers.streams.told import after, mine, shape, stored, table, tell_many
from workers.streams import handover_socket

PASS = [{"do": "bid", "amount": 0}]


# --- events -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_events_are_streamed_as_they_happen(site: Site):
    """From now on, numbered, in order, beginning with the current number."""
    people = site.people(2)
    with mine(site, people[0]) as ada:
        assert (ada.status, ada.last) == (200, "0")
        game = site.hall.game("bids", people)
        told = ada.events(4)
        assert shape(told) == [(1, "news", 1), (2, "news", 2), (3, "started", 3), (4, "turn", 3)]
        assert {event["game"] for event in told} == {game}


def test_the_headers_of_a_stream_prevent_caching_and_buffering(site: Site):
    """And a comment is sent while there are no events."""
    (ada, *_), _ = table(site)
    with mine(site, ada) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert (stream.headers["cache-control"], stream.headers["connection"]) == ("no-store", "close")
        assert stream.headers["x-accel-buffering"] == "no"
        assert stream.headers["x-content-type-options"] == "nosniff"
        assert stream.headers["access-control-allow-origin"] == "*"
        stream.file.readline()
        assert site.counted().open["account"] >= 1


def test_a_reader_who_reconnects_continues_after_their_last_number(site: Site):
    """By `Last-Event-ID`, which wins over `after`."""
    (ada, _), _ = table(site)
    with mine(site, ada, **after(0)) as stream:
        assert shape(stream.events(2)) == stored(site, ada)[:2]
        last = stream.last
    with Reader(site.url, "/me/events?after=0", **ada.auth, **after(last)) as stream:
        assert shape(stream.events(2)) == stored(site, ada)[2:]


def test_a_stream_has_the_events_of_its_own_account_only(site: Site):
    """Events of Ada's table do not reach Dee, who has a table too."""
    (ada, _), game = table(site)
    (dee, eve), _ = table(site)
    with mine(site, dee) as stream:
        ada.move(game, PASS)
        own = site.hall.game("bids", [dee, eve])
        assert {event["game"] for event in stream.events(4)} == {own}


def test_a_former_holder_gets_the_takeover_and_no_later_events(site: Site):
    """They go to the new holder."""
    (ada, ben, cy), game = table(site, 3)
    with mine(site, ben, **after(len(stored(site, ben)))) as old, mine(site, cy) as new:
        ben.offer(game)
        cy.take(game, 1)
        ada.move(game, PASS)
        assert [event["kind"] for event in old.events(2)] == ["offered", "taken"]
        assert [event["kind"] for event in new.events(2)] == ["turn", "news"]
        own = site.hall.game("bids", [ben, ada])
        assert old.event()["game"] == own


@pytest.mark.slow
def test_the_stream_of_a_game_is_public(site: Site):
    """Every entry once, public facts only; then the stream ends, and a returning reader gets its end again."""
    people = site.people(2)
    game = site.hall.game("bids", people)
    with Reader(site.url, f"/games/{game}/events?after=-1") as stream:
        site.hall.play_out(game, people)
        told = []
        while event := stream.event():
            told.append(event)
    with site.hall.services.database.read() as session:
        rows = session.execute(sa.select(Entry.seq, Entry.kind).where(Entry.game_id == game).order_by(Entry.seq)).all()
    assert [(event["seq"], event["kind"]) for event in told] == [tuple(row) for row in rows]
    assert {frozenset(event) for event in told} == {
        frozenset({"seq", "kind", "game", "type", "seat", "at", "hash", "over"})
    }
    assert [event["over"] for event in told] == [False] * (len(told) - 1) + [True]
    again = patient.get(f"{site.url}/v1/games/{game}/events", headers=after(told[-1]["seq"]))
    assert (again.status_code, again.content) == (204, b"")


def test_unknown_numbers_cause_a_reset(site: Site):
    """As after a restore; then it goes on after the newest."""
    (ada, _), game = table(site)
    with mine(site, ada, **after(1000)) as stream:
        told = stream.event()
        assert (told["kind"], told["n"]) == ("reset", 4)
        ada.move(game, PASS)
        assert stream.event()["n"] == 5
    with Reader(site.url, f"/games/{game}/events", **after(1000)) as stream:
        told = stream.event()
        assert (told["kind"], told["seq"]) == ("reset", 4)


# --- what ends it -----------------------------------------------------------------------------------------------------


def test_revoking_a_token_ends_its_own_streams_at_once(site: Site):
    """Those of another token of the account go on."""
    (ada, _), game = table(site)
    made = ada.post("/me/tokens", {"name": "a bot", "scopes": ["read"]}).get_json()
    with Reader(site.url, "/me/events", Authorization=f"Bearer {made['token']}") as bot, mine(site, ada) as own:
        revoked = patient.delete(f"{site.url}/v1/me/tokens/{made['id']}", headers=ada.auth)
        assert revoked.status_code == 204
        assert bot.event() is None
        ada.move(game, PASS)
        assert own.event()["seq"] == 4


@pytest.mark.slow
def test_signing_out_ends_the_streams_of_that_browser_alone(site: Site):
    """An `EventSource` of our own page uses the cookie; one of another page is anonymous."""
    (ada, _), game = table(site)
    own, email = {"Sec-Fetch-Site": "same-origin"}, f"player{ada.number}@example.org"
    patient.post(f"{site.url}/login", data={"email": email}, headers=own)
    entered = patient.post(f"{site.url}/login/{site.hall.link(email)}", headers=own)
    own["Cookie"] = cookie = entered.headers["Set-Cookie"].partition(";")[0]
    with Reader(site.url, "/me/events", Cookie=cookie, **{"Sec-Fetch-Site": "same-site"}) as stream:
        assert (stream.status, stream.body()["code"]) == (401, "not-signed-in")
    with Reader(site.url, "/me/events", **own) as stream, mine(site, ada) as other:
        assert "access-control-allow-origin" not in stream.headers
        out = patient.post(f"{site.url}/logout", headers=own)
        assert out.status_code == 303
        assert stream.event() is None
        ada.move(game, PASS)
        assert other.event()["seq"] == 4


def test_an_erased_account_ends_its_streams(site: Site):
    """No later event is sent."""
    (ada, _), _ = table(site)
    with mine(site, ada) as stream:
        given = patient.post(f"{site.url}/v1/me/keys/challenge", json={}, headers=ada.auth).json()
        erased = patient.delete(f"{site.url}/v1/me", headers={**ada.auth, **ada.prove("erase", **given)})
        assert erased.status_code == 204
        assert stream.event() is None


def test_a_token_without_the_scope_gets_no_stream(site: Site):
    """Nor does a request without a token; a game's stream is public."""
    (ada, _), _ = table(site)
    made = ada.post("/me/tokens", {"name": "no reader", "scopes": ["play"]}).get_json()
    with Reader(site.url, "/me/events", Authorization=f"Bearer {made['token']}") as stream:
        assert (stream.status, stream.body()["code"]) == (403, "missing-scope")
    with Reader(site.url, "/me/events") as stream:
        assert (stream.status, stream.body()["code"]) == (401, "not-signed-in")


@pytest.mark.slow
def test_a_reader_that_stops_reading_is_dropped_and_misses_nothing(site: Site):
    """The buffer for them is small; they resume by their last number."""
    (ada, _), _game = table(site)
    first, many = len(stored(site, ada)), 3000
    site.restart("events", patience=1)
    try:
        with Reader(site.url, "/me/events", receive=4096, **ada.auth, **after(first)) as stream:
            tell_many(site, ada, first, many)
            until(lambda: site.counted().ended.get("slow") == 1)
            told = [event["n"] for event in whole_events(stream)]
    finally:
        site.restart("events")
    assert len(told) < many
    with mine(site, ada, **after(told[-1] if told else first)) as stream:
        told += [event["n"] for event in stream.events(many - len(told))]
    assert told == list(range(first + 1, first + many + 1))


def whole_events(stream: Reader) -> Iterator[dict]:
    """Complete events before the connection was cut off."""
    with suppress(ConnectionResetError, ValueError):
        while event := stream.event():
            yield event


# --- restarts ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_restarts_of_either_process_neither_lose_nor_repeat_events(site: Site):
    """A stream outlives the web server; after the end of its own process the reader reconnects."""
    (ada, _), game = table(site)
    told = []
    with mine(site, ada, **after(0)) as stream:
        told += stream.events(4)
        site.restart("web")
        ada.move(game, PASS)
        told.append(stream.event())
        site.running["events"].send_signal(signal.SIGKILL)
        site.running["events"].wait(PATIENCE)
        assert stream.event() is None
        last = stream.last
    with mine(site, ada, **after(last)) as refused:
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        assert refused.body()["code"] == "no-streams"
    site.hall.clock.forward(hours=1)
    assert expire(site.hall.services, game, 1)
    site.start("events")
    with mine(site, ada, **after(last)) as stream:
        while len(told) < len(stored(site, ada)):
            told.append(stream.event())
    assert shape(told) == stored(site, ada)


def test_streams_survive_an_emptied_redis(site: Site):
    """The pokes go on."""
    (ada, _), game = table(site)
    with mine(site, ada) as stream, redis.Redis.from_url(site.environment["REDIS_URL"]) as client:
        client.flushall()
        ada.move(game, PASS)
        assert stream.event()["seq"] == 4


@pytest.mark.slow
def test_without_redis_events_are_still_streamed(site: Site):
    """The database is polled once a second."""
    (ada, _), game = table(site)
    [port] = free.ports(1)
    site.restart("events", REDIS_URL=f"redis://127.0.0.1:{port}/0")
    try:
        with mine(site, ada) as stream:
            ada.move(game, PASS)
            assert stream.event()["seq"] == 4
    finally:
        site.restart("events")


# --- what is not handed over -----------------------------------------------------------------------------------------


def said(site: Site, request: str) -> tuple[int, str]:
    """Status and body of the answer to these raw bytes."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as sock:
        sock.sendall(request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n").encode())
        text = sock.makefile("rb").read().decode()
    return int(text.split()[1]), text.partition("\r\n\r\n")[2]


def test_only_a_plain_get_of_http_1_1_is_handed_over(site: Site):
    """HTTP/1.0 and a body are refused; a HEAD gets its headers."""
    _, game = table(site)
    before = site.counted().open
    path = f"/v1/games/{game}/events"
    status, body = said(site, f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{site.port}\r\n\r\n")
    assert (status, '"no-streams"' in body) == (503, True)
    status, body = said(site, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nContent-Length: 2\r\n\r\n{{}}")
    assert (status, '"bad-request"' in body) == (400, True)
    assert said(site, f"HEAD {path} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n\r\n") == (200, "")
    assert site.counted().open == before


def test_a_server_without_sockets_answers_503(site: Site):
    """Flask's own, at once."""
    (ada, _), game = table(site)
    for answer in (ada.get("/me/events"), ada.get(f"/games/{game}/events")):
        assert (answer.status_code, answer.get_json()["code"]) == (503, "no-streams")
        assert answer.headers["Retry-After"] == "5"
    assert ada.get("/games/00000000-0000-4000-8000-000000000000/events").status_code == 404


@pytest.mark.parametrize("number", ["x", "-2", "1.5", "99999999999"])
def test_an_invalid_last_event_id_is_refused(site: Site, number: str):
    """With 422 and the value found."""
    (ada, _), _ = table(site)
    with mine(site, ada, **after(number)) as stream:
        assert (stream.status, stream.body()["code"]) == (422, "bad-fields")


def use(player: Player) -> int | None:
    """The account's open streams, as it reads them."""
    [found] = [one for one in player.get("/me/limits").get_json() if one["name"] == "streams"]
    return found["used"]


@pytest.mark.slow
def test_an_account_reads_its_open_streams(site: Site):
    """Its own, not those of games; null while the process that holds them is stopped."""
    (ada, ben), game = table(site)
    with mine(site, ada), Reader(site.url, f"/games/{game}/events"):
        assert (use(ada), use(ben)) == (1, 0)
    site.stop("events")
    try:
        assert use(ada) is None
    finally:
        site.start("events")


@pytest.mark.slow
def test_places_are_limited_by_account_and_by_address(site: Site):
    """One more gets `too-many` or, from a full address, 503 `no-place`; others get in, and places are freed."""
    (ada, ben), game = table(site)
    site.restart("events", STREAMS_ACCOUNT="2", STREAMS_ADDRESS="4")
    try:
        with ExitStack() as held:
            streams = [held.enter_context(mine(site, ada)) for _ in range(2)]
            with mine(site, ada) as refused:
                problem = refused.body()
                assert (refused.status, problem["code"]) == (409, "too-many")
                assert problem["facts"] == {"limit": "streams", "says": "Open streams of your events", "most": 2}
            assert use(ada) == 2
            others = [held.enter_context(mine(site, ben)) for _ in range(2)]
            with Reader(site.url, f"/games/{game}/events") as refused:
                assert (refused.status, refused.headers["retry-after"]) == (503, "5")
                assert refused.body()["facts"] == {"of": "address", "most": 4}
            assert {stream.status for stream in streams + others} == {200}
            streams[0].close()
            until(lambda: site.counted().open["account"] == 3)
            assert held.enter_context(mine(site, ada)).status == 200
    finally:
        site.restart("events")


# --- the house --------------------------------------------------------------------------------------------------------


def test_the_web_server_works_on_after_handing_over(site: Site):
    """With all its threads, and no errors in its log."""
    (_ada, _), game = table(site)
    with ExitStack() as held:
        for _ in range(20):
            assert held.enter_context(Reader(site.url, f"/games/{game}/events")).status == 200
        assert patient.get(f"{site.url}/v1/games/{game}").status_code == 200
        text = patient.get(site.metrics).text
    assert 'sealedmove_streams_open{kind="game"} 20.0' in text
    assert "sealedmove_stream_events_total" in text
    said = site.log.read_text()
    assert "Traceback" not in said
    assert "Exception" not in said


def test_one_process_holds_the_streams_of_a_host(site: Site):
    """A second one refuses to start and changes nothing."""
    with pytest.raises(ConfigError, match="another process"):
        handover_socket.listening(site.socket)
    assert site.counted() is not None


def test_an_invalid_request_to_the_socket_is_ignored(site: Site):
    """Its sender gets no answer; the next one does."""
    for question in (b"\0\0\0\1x", b"\0\0"):
        with socket.socket(socket.AF_UNIX) as unix:
            unix.settimeout(PATIENCE)
            unix.connect(str(site.socket))
            unix.sendall(question)
            unix.shutdown(socket.SHUT_WR)
            assert unix.recv(1) == b""
        assert site.counted() is not None


def test_nothing_secret_is_logged(site: Site):
    """Neither tokens nor the master secret."""
    said = site.log.read_text()
    assert not re.search("sm_[A-Za-z0-9_-]{43}", said)
    not_told(site.environment["SEALEDMOVE_MASTER"], said)
