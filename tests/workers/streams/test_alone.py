"""A stream and its process, without a server."""

from __future__ import annotations

import asyncio
import resource
import socket
import threading
import time
from unittest.mock import Mock

import msgspec
import pytest
from gunicorn.util import load_class

from server.kernel.config import ConfigError, Settings
from server.kernel.streams import Follow, HoldStream, StreamAnswer
from tests.kit.patience import PATIENCE
from workers.streams import handover_socket, main
from workers.streams.hub import Hub, Poll, StreamLimits, StreamTiming
from workers.streams.poll import MOST, NewEvents, PollResult
from workers.streams.stream import UNSENT, Follower, Stream


def told_by(look: Poll) -> bytes:
    """The output of a reader without pokes, if the next poll is an hour away."""
    return asyncio.run(_held(Hub(look, StreamLimits(), StreamTiming(look=3600))))


async def _held(hub: Hub) -> bytes:
    here, there = socket.socketpair()
    await hub.open(HoldStream(b"", (Follow("g1", 0),), "here"), there.detach())
    reader, writer = await asyncio.open_connection(sock=here)
    rounds = asyncio.create_task(hub.run())
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE)
    finally:
        rounds.cancel()
        writer.close()


def test_a_network_of_ipv6_counts_as_one_address():
    """One host may have every address of it."""

    async def opened(*addresses: str) -> list[str]:
        hub, kept = Hub(Mock(), StreamLimits(address=1), StreamTiming()), []
        full = []
        for address in addresses:
            here, there = socket.socketpair()
            kept.append(here)
            full.append((await hub.open(HoldStream(b"", (Follow("g1", 0),), address), there.detach())).full)
        await hub.end_all(PATIENCE)
        for here in kept:
            here.close()
        return full

    assert asyncio.run(opened("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")) == ["", "address", ""]


def test_page_follows_page_without_a_poke():
    """A reader who is far behind does not wait for the next poll."""
    last = 6 * MOST

    def look(after: dict[str, int], _: list[str]) -> PollResult:
        first = after["g1"] + 1
        events = [(n, b"{}") for n in range(first, first + MOST)]
        return PollResult({"g1": NewEvents(after["g1"], events, over=events[-1][0] == last)}, frozenset())

    numbers = [line.removeprefix("id: ") for line in told_by(look).decode().split("\n") if line.startswith("id: ")]
    assert numbers == [str(n) for n in range(last + 1)]


def test_deliveries_waiting_at_the_end_of_a_game_are_still_sent():
    """The connection is closed after it and not cut off."""
    much = b"x" * (20 * UNSENT)
    told = told_by(lambda *_: PollResult({"g1": NewEvents(0, [(1, much)], over=True)}, frozenset()))
    assert told.endswith(b"id: 1\ndata: %s\n\n" % much)


def test_a_poll_for_others_is_not_sent_to_a_reader_further_behind():
    """They would miss the events between; they get the rest of a poll that began before their number."""
    reader, transport = follower(3)
    assert (reader.tell(NewEvents(5, [(6, b"{}")])), reader.last) == (0, 3)
    transport.write.assert_not_called()
    assert (reader.tell(NewEvents(2, [(3, b"{}"), (4, b"{}")])), reader.last) == (1, 4)
    transport.write.assert_called_once_with(b"id: 4\ndata: {}\n\n")


def test_a_page_of_one_account_holds_up_the_next_account_of_the_stream():
    """Nothing is written while something is unsent; all of its accounts are polled again afterwards."""
    ask = HoldStream(b"", tuple(Follow(f"a{index}", 0, index=index) for index in range(2)), "here")
    stream, transport = Stream(ask, Mock(), more := Mock(), lambda: 0.0), Mock()
    transport.is_closing.return_value = False
    first, second = stream.followers = [Follower(stream, one) for one in ask.follows]
    stream.connection_made(transport)
    transport.write.side_effect = lambda _: stream.pause_writing()
    assert (first.tell(NewEvents(0, [(1, b'{"n":1}')])), second.tell(NewEvents(0, [(1, b'{"n":1}')]))) == (1, 0)
    transport.write.assert_called_with(b'data: {"index":0,"n":1}\n\n')
    stream.resume_writing()
    more.assert_called_once_with(stream)
    assert second.tell(NewEvents(0, [(1, b'{"n":1}')])) == 1


def follower(after: int) -> tuple[Follower, Mock]:
    """The reader of an account on a connection that has begun, and the connection's mock."""
    stream, transport = Stream(HoldStream(b"", (Follow("a1", after),), "here"), Mock(), Mock(), lambda: 0.0), Mock()
    transport.is_closing.return_value = False
    stream.followers.append(Follower(stream, stream.ask.follows[0]))
    stream.connection_made(transport)
    transport.write.reset_mock()
    return stream.followers[0], transport


def test_nothing_is_written_to_a_connection_that_was_given_up(monkeypatch):
    """The loop was busy for longer than the other end waits, which has answered itself."""
    monkeypatch.setattr(handover_socket, "PATIENCE", 0.05)

    async def given_up() -> bytes:
        reader, connection, web, unix = *socket.socketpair(), *socket.socketpair()
        with reader, web, unix:
            with connection:
                said = msgspec.json.encode(HoldStream(b"", (Follow("g1", 0),), "here"))
                socket.send_fds(web, [len(said).to_bytes(4, "big") + said], [connection.fileno()])
            loop = asyncio.get_running_loop()
            hub = Hub(Mock(), StreamLimits(), StreamTiming())
            answers = threading.Thread(target=handover_socket._answer_one, args=(hub, unix, loop))
            answers.start()
            answers.join(PATIENCE)  # nothing runs in the loop meanwhile
            reader.setblocking(False)
            return await asyncio.wait_for(loop.sock_recv(reader, 1), PATIENCE)

    assert asyncio.run(given_up()) == b""


def test_a_connection_that_waited_in_the_socket_for_too_long_is_not_taken():
    """Its web server has given up and answered: two would write to one connection."""

    async def answered(late: float) -> tuple[StreamAnswer, dict[str, int]]:
        here, there = socket.socketpair()
        hub = Hub(Mock(), StreamLimits(), StreamTiming())
        ask = HoldStream(b"", (Follow("g1", 0),), "here", until=time.monotonic() - late)
        with here:
            descriptors = [there.detach()]
            answer = await handover_socket._answer(hub, ask, descriptors)
            handover_socket._close_all(descriptors)
            held = hub.numbers().open
            await hub.end_all(PATIENCE)
        return answer, dict(held)

    assert asyncio.run(answered(late=0.001)) == (StreamAnswer(), {"account": 0, "game": 0, "shared": 0})
    assert asyncio.run(answered(late=-PATIENCE)) == (StreamAnswer(taken=True), {"account": 0, "game": 1, "shared": 0})


def test_a_reader_of_a_longer_log_gets_a_reset_beside_readers_of_this_one():
    """After a restore. Otherwise the next entries would pass it by: it has seen others under their numbers."""
    newest = 5

    def look(after: dict[str, int], _: list[str]) -> PollResult:
        n = after["g1"]
        reset = NewEvents(n, [(newest, b'{"kind":"reset"}')], reset=True)
        return PollResult({} if n == newest else {"g1": reset}, frozenset())

    async def told(*lasts: int) -> list[bytes]:
        hub, readers = Hub(look, StreamLimits(), StreamTiming(look=3600)), []
        for last in lasts:
            here, there = socket.socketpair()
            await hub.open(HoldStream(b"", (Follow("g1", last),), "here"), there.detach())
            readers.append(await asyncio.open_connection(sock=here))
        for _ in lasts:
            await hub._round({"g1"})
        await hub.end_all(PATIENCE)
        said = [await asyncio.wait_for(reader.read(), PATIENCE) for reader, _ in readers]
        for _, writer in readers:
            writer.close()
        return said

    here, ahead, further = asyncio.run(told(newest, newest + 3, newest + 4))
    assert b"reset" not in here
    assert (ahead.count(b"id: 5\ndata: "), further.count(b"id: 5\ndata: ")) == (1, 1)


def test_a_stream_whose_opening_is_cancelled_gives_back_one_place():
    """Its connection is lost, too, but the places of others stay taken."""

    async def opened() -> list[bool]:
        hub, kept = Hub(Mock(), StreamLimits(address=2), StreamTiming()), []

        def opening() -> asyncio.Task[StreamAnswer]:
            here, there = socket.socketpair()
            kept.append(here)
            return asyncio.create_task(hub.open(HoldStream(b"", (Follow("g1", 0),), "here"), there.detach()))

        await opening()
        cancelled = opening()
        await asyncio.sleep(0)  # until it has begun
        cancelled.cancel()
        await asyncio.wait([cancelled])
        more = [(await opening()).taken for _ in range(2)]
        await hub.end_all(PATIENCE)
        for here in kept:
            here.close()
        return more

    assert asyncio.run(opened()) == [True, False]


def test_handing_over_needs_gunicorns_gthread_worker():
    """With a plain blocking socket, and one request at a time on it."""
    from gunicorn.workers.gthread import ThreadWorker

    from server.operate import gunicorn

    assert issubclass(load_class(gunicorn.worker_class), ThreadWorker)


@pytest.mark.parametrize(("most", "streams"), [(resource.RLIM_INFINITY, 4000), (1000, 1000 - main.BESIDE)])
def test_places_depend_on_the_limit_of_file_descriptors(monkeypatch, most: int, streams: int):
    """The process raises its limit as far as needed and allowed."""
    monkeypatch.setattr(main.resource, "getrlimit", lambda _: (256, most))
    monkeypatch.setattr(main.resource, "setrlimit", asked := Mock())
    chosen = Settings(master=bytes(32), database_url="", public_url="http://127.0.0.1:8000", most_streams=4000)
    assert main.places(chosen).server == streams
    asked.assert_called_once_with(resource.RLIMIT_NOFILE, (streams + main.BESIDE, most))


def test_the_socket_is_refused_in_a_shared_folder(tmp_path):
    """Any user who reaches it could pass connections in."""
    (tmp_path / "open").mkdir(mode=0o755)
    with pytest.raises(ConfigError, match="0700"):
        handover_socket.listening(tmp_path / "open" / "events.sock")
    assert not (tmp_path / "open" / "events.sock").exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    """A file is in its place."""
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match=r"EVENTS_SOCKET: the folder .*/file/events cannot be made: Not a directory"):
        handover_socket.listening(tmp_path / "file" / "events" / "events.sock")


def test_a_socket_that_cannot_be_made_is_one_sentence(tmp_path):
    """Something else is in its place, or its disk is read-only."""
    (tmp_path / "own" / "events.sock").mkdir(mode=0o700, parents=True)
    (tmp_path / "own").chmod(0o700)
    with pytest.raises(ConfigError, match=r"EVENTS_SOCKET: .*/own/events.sock cannot be made: "):
        handover_socket.listening(tmp_path / "own" / "events.sock")
