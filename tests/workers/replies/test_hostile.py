"""Mails that keep the reader busy: the time for each depends on its length only, and a mail beyond all limits ends
with the process that reads it. None delays another.
"""

from __future__ import annotations

import os
import random
import signal
import time
from datetime import UTC, datetime
from email.utils import format_datetime
from multiprocessing.context import SpawnProcess
from unittest.mock import Mock

import pytest

from tests.kit.patience import PATIENCE, until
from tests.workers.replies import hostile, starting
from tests.workers.replies.mail import dns, signed, written
from workers.mail.facts import MailOrigin
from workers.replies import lanes
from workers.replies.authentication import Claim, Relay
from workers.replies.child import ChildFaultError, NoChildError, ReadingChild
from workers.replies.dns import DnsError
from workers.replies.incoming import TooMuchError
from workers.replies.lanes import ReplyLanes
from workers.replies.parser import parse_reply
from workers.replies.process import MOST_TRIES
from workers.replies.reading import ReadMail, UnreadMail, read

NOW = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)
TO = "move+x@play.example"
ORIGIN = MailOrigin("Sealed Move <games@play.example>", "http://127.0.0.1:8000")
CLAIM = Claim("ada@example.org", TO, NOW)
HEADS = hostile.HEADS % format_datetime(NOW).encode()
AT_ONCE, A_SECOND = 0.3, 1_000_000  # seconds of computing for any mail, and further bytes for each second


def unread(raw: bytes, claim: Claim | None = CLAIM) -> UnreadMail:
    return UnreadMail(raw, ORIGIN, claim, Relay("mx.play.example"))


def seconds(raw: bytes, claim: Claim | None = CLAIM) -> float:
    """Computing time for one mail, whatever the result."""
    begun = time.process_time()
    try:
        said = read(unread(raw, claim), dns)
        parse_reply(said.text.written, lambda *_: False, is_cut=said.text.is_cut)
    except TooMuchError:
        pass
    return time.process_time() - begun


def check(raw: bytes) -> None:
    """As an answer, with an account holder's headers and without, and as a report."""
    for one, claim in ((HEADS + raw, CLAIM), (raw, CLAIM), (raw, None)):
        assert seconds(one, claim) < AT_ONCE + len(one) / A_SECOND


@pytest.mark.parametrize("name", hostile.SEEDS)
def test_the_time_for_a_hostile_mail_depends_on_its_length_only(name):
    """Seeds for everything that was once quadratic in parsing headers, parts, letters, pages or signatures."""
    check(hostile.SEEDS[name])


@pytest.mark.parametrize("kind", ["html", "plain"])
def test_the_time_for_a_proven_mail_depends_on_its_length_only(kind):
    """Anyone can have an account, so a signed mail may be as hostile as any."""
    for text in (hostile.PAGES if kind == "html" else hostile.TEXTS).values():
        what = f"Content-Type: text/{kind}; charset=utf-8; format=flowed\r\n\r\n".encode()
        raw = signed(HEADS + what + text)
        assert read(unread(raw), dns).kind == "proven"
        assert seconds(raw) < AT_ONCE + len(raw) / A_SECOND


@pytest.mark.parametrize("count", [100, pytest.param(3000, marks=pytest.mark.slow)])
def test_the_time_for_a_fuzzed_mail_depends_on_its_length_only(count):
    """Random repetitions, cuts and joins of the seeds; none raises an error."""
    for raw in hostile.fuzzed(random.Random(random.randbytes(8)), count):
        check(raw)


@pytest.mark.parametrize(
    ("raw", "cap"),
    [
        (hostile.SEEDS["a header for each line"], "headers"),
        (hostile.SEEDS["depth"], "depth"),
        (hostile.SEEDS["parts"], "parts"),
        (hostile.SEEDS["parameters that fit"], "parameters"),
    ],
    ids=["headers", "depth", "parts", "parameters"],
)
def test_a_mail_beyond_a_limit_is_not_read_further(raw, cap):
    """Each limit has its word, shown in the quarantine."""
    with pytest.raises(TooMuchError, match=f"^{cap}$"):
        read(unread(raw), dns)


def test_of_an_unproven_mail_only_the_first_lines_of_plain_text_are_read():
    """Neither its HTML nor later lines."""
    for text, stops in (("stop mail", True), ("\n" * 3000 + "stop mail", False)):
        assert read(unread(written(text, TO, NOW)), dns).stops is stops
    assert not read(unread(HEADS + hostile.page(b"<p>stop mail</p>")), dns).stops


@pytest.mark.parametrize(("text", "stops"), [("stop", False), ("Stop.", False), ("unsubscribe", True)])
def test_an_unproven_mail_with_a_word_that_is_a_move_stops_no_mail(text, stops):
    """`stop` is one in Lewis & Clark. The writer learns that the mail was not verified, with a link that stops mail."""
    assert read(unread(written(text, TO, NOW)), dns).stops is stops


def test_half_of_a_long_text_is_never_played():
    """The rest may hold another command: nothing is done, and the answer gives the reason."""
    knows = lambda _, text: text in ("roll", "hold")  # noqa: E731 - a line in a test
    for kind, broken in (("html", "<br>"), ("plain", "\r\n")):
        text = f"roll{broken}{broken}" + f"x{broken}" * 40_000 + f"{broken}hold"
        said = read(unread(signed(HEADS + f"Content-Type: text/{kind}\r\n\r\n{text}".encode())), dns)
        assert said.text.is_cut
        assert parse_reply(said.text.written, knows, is_cut=True).trouble == "long"
        ended = parse_reply(said.text.written.replace("x", "-- ", 1), knows, is_cut=True)
        assert (ended.commands, ended.trouble) == (("roll",), "")
    assert parse_reply("roll\n\n" + "x\n" * 500, knows).trouble == "long"
    assert parse_reply("roll " * 400, lambda *_: True).commands == ()


# --- the process that reads -------------------------------------------------------------------------------------------


@pytest.fixture
def child():
    made = ReadingChild(to_start=PATIENCE)
    yield made
    made.close()


@pytest.fixture
def good() -> bytes:
    return signed(written("roll", TO, NOW))


def test_a_child_process_reads_like_its_parent(child, good):
    """Answers, machines and reports; the parent looks up the senders' keys."""
    asked: list[str] = []

    def asking(name: str) -> bytes | None:
        asked.append(name)
        return dns(name)

    for raw, claim in ((good, CLAIM), (written("roll", TO, NOW), CLAIM), (good, None)):
        assert child.read(unread(raw, claim), asking) == read(unread(raw, claim), dns)
    assert child.read(unread(good), asking).text.written.strip() == "roll"
    assert asked == ["post._domainkey.example.org."] * 2


def test_a_child_that_computes_for_too_long_is_ended(good):
    """By a signal that no parser can delay; the next mail gets a new process."""
    child = ReadingChild(cpu=0.02, to_start=PATIENCE)
    try:
        with pytest.raises(TooMuchError, match=r"^cpu$"):
            child.read(unread(hostile.SEEDS["depth"] * 4), dns)
        assert child.read(unread(good), dns).kind == "proven"
    finally:
        child.close()


def test_the_memory_of_a_child_is_limited(good):
    """A mail that fills it ends with it."""
    child = ReadingChild(memory=1, to_start=PATIENCE)
    try:
        with pytest.raises(TooMuchError, match=r"(?i)^memory"):
            child.read(unread(good + b"x" * 2_000_000), dns)
    finally:
        child.close()


def test_a_silent_child_fails_one_try(child, good):
    """It is ended, and the mail is tried again."""
    impatient = ReadingChild(patience=0, to_start=PATIENCE)
    with pytest.raises(ChildFaultError):
        impatient.read(unread(good), dns)
    assert impatient.pid is None
    assert child.read(unread(good), dns).kind == "proven"


def test_a_child_that_is_killed_fails_one_try(child, good):
    """The mail may not be the reason, so a new process tries it again."""
    assert child.read(unread(good), dns).kind == "proven"

    def killing(_: str) -> bytes | None:
        os.kill(child.pid, signal.SIGKILL)
        return None

    with pytest.raises(ChildFaultError):
        child.read(unread(good), killing)
    assert child.read(unread(good), dns).kind == "proven"


def test_a_child_that_cannot_be_started_is_not_the_fault_of_a_mail(child, good, monkeypatch):
    """As when a machine has no memory or no process left for a moment; the next try starts it."""
    with monkeypatch.context() as full:
        full.setattr(SpawnProcess, "start", Mock(side_effect=BlockingIOError))
        with pytest.raises(NoChildError):
            child.read(unread(good), dns)
    assert child.read(unread(good), dns).kind == "proven"


@pytest.fixture
def may_start(monkeypatch, tmp_path):
    """No child starts until there is this file."""
    monkeypatch.setenv("MAY_START", str(tmp_path / "now"))
    monkeypatch.setattr("workers.replies.child._serve", starting.late)
    return tmp_path / "now"


@pytest.fixture
def late(may_start, good):
    """A child that has not started in time."""
    made = ReadingChild(to_start=0)
    with pytest.raises(NoChildError, match="has not started"):
        made.read(unread(good), dns)
    yield made
    made.close()


def test_a_child_that_starts_late_reads_the_next_mail(late, good, may_start):
    """On a busy machine another one would be as late."""
    pid = late.pid
    may_start.touch()
    until(late._line.poll, "it does not start")
    assert late.read(unread(good), dns).kind == "proven"
    assert late.pid == pid


def test_a_child_that_never_starts_is_ended(late, good):
    with pytest.raises(NoChildError, match="has not started"):
        late.read(unread(good), dns)
    assert late.pid is None


def test_a_child_that_dies_while_it_starts_is_not_the_fault_of_a_mail(child, good, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr("workers.replies.child._serve", starting.dead)
        with pytest.raises(NoChildError, match="ended with 3 before it had started"):
            child.read(unread(good), dns)
    assert child.read(unread(good), dns).kind == "proven"


def test_a_child_does_not_wait_for_an_unreachable_dns(child, good):
    """The mail is read again later."""

    def away(_: str) -> bytes | None:
        raise DnsError("Timeout")

    with pytest.raises(DnsError, match="Timeout"):
        child.read(unread(good), away)
    assert child.read(unread(good), dns).kind == "proven"


# --- what becomes of them ---------------------------------------------------------------------------------------------


def test_a_mail_beyond_a_limit_is_tried_once_and_reported_once(post):
    """It goes to the quarantine; the account holder is told about the first one, as for any unproven mail."""
    post.game("bids")
    post.react()
    mail = post.asked("ada")
    for _ in range(2):
        post.arrive(HEADS + hostile.SEEDS["a header for each line"], mail)
    assert post.read() == ["quarantined"] * 2
    post.react()
    assert [(row.state, row.attempts, row.reason) for row in post.kept()] == [
        ("quarantined", 1, "reading it exceeds a limit (headers)")
    ] * 2
    assert sum("unverified sender" in one for one in post.sink.subjects()) == 1


def test_a_move_counts_although_its_reader_was_silent(post):
    """The mail is read again, and its sender hears of no failure."""
    post.game("bids")
    post.react()
    mail = post.asked("ada")
    post.arrive(post.written(mail, "bid 3"), mail)
    child = ReadingChild(patience=0, to_start=PATIENCE)
    object.__setattr__(post.ctx, "read_mail", child.read)
    assert post.read() == ["later"]
    object.__setattr__(post.ctx, "read_mail", read)
    post.pass_time(seconds=post.ctx.pace.wait(1))
    assert post.read() == ["planned"]
    assert [(row.state, row.attempts) for row in post.kept()] == [("done", 2)]
    post.react()
    assert not any("unverified" in one for one in post.sink.subjects())


def test_a_mail_waits_for_a_process_that_reads_it(post):
    """However often none starts: nothing is wrong with the mail. After days it goes to the operator."""
    post.game("bids")
    post.react()
    mail = post.asked("ada")
    post.arrive(post.written(mail, "bid 3"), mail)
    object.__setattr__(post.ctx, "read_mail", Mock(side_effect=NoChildError("the reader has not started")))
    for attempt in range(1, MOST_TRIES + 2):
        assert post.read() == ["later"]
        post.pass_time(seconds=post.ctx.pace.wait(attempt))
    post.pass_time(days=5)
    assert post.read() == ["quarantined"]
    assert [row.reason for row in post.kept()] == ["the reader has not started"]


def test_no_mail_holds_up_another(post, monkeypatch):
    """For each question one mail is read at a time; it delays mails to that question only."""
    post.game("bids")
    post.react()
    mails = [post.asked(name) for name in ("ada", "ben")]
    for _ in range(5):
        post.arrive(post.written(mails[0], "help"), mails[0])
    post.arrive(post.written(mails[1], "help"), mails[1])
    first, *_, last = [row.id for row in post.kept()]
    assert lanes.due(post.ctx, 10) == [first, last]
    seen: list[list[int]] = []

    def looking(unread: UnreadMail, dns) -> ReadMail:
        seen.append(lanes.due(post.ctx, 10))
        return read(unread, dns)

    object.__setattr__(post.ctx, "read_mail", looking)
    post.read()
    assert seen[0] == [last]


def test_lanes_read_due_mails_only(post):
    """Without a queue: a dead worker's mail is read when its lease ends; a postponed mail is left."""
    post.game("bids")
    post.react()
    mail = post.asked("ada")
    post.arrive(HEADS + hostile.SEEDS["tags"], mail)
    post.arrive(post.written(mail, "bid 3"), mail)
    reading = ReplyLanes(post.ctx)
    reading.start()
    try:
        until(lambda: [row.state for row in post.kept()] == ["done", "done"], "a mail is not read")
    finally:
        reading.stop()
    assert [row.reason for row in post.kept()] == ["unproven", "planned"]
