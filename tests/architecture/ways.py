"""Five ways through the house, traced with a profiler: which files each enters, and how often it changes file.

    python -m tests.architecture.ways          prints the figures
    python -m tests.architecture.ways --write  draws docs/ways/*.svg from them

A file counts when a function, method or comprehension of it is called between the beginning and the end of the way;
what happens once for a process (imports, templates compiled, statements cached) happens before, in a first pass.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "server", "workers")


@dataclass
class Way:
    """What a profiler saw: files in the order in which they were entered, and each change from one to another."""

    files: list[str] = field(default_factory=list)
    changes: list[tuple[str, str]] = field(default_factory=list)

    @property
    def figures(self) -> tuple[int, int]:
        return len(self.files), len(self.changes)


def _name(path: str, known: dict[str, str | None]) -> str | None:
    """The path from the root of a file of ours; None for any other, a game's rules and a test."""
    if path not in known:
        here = Path(path)
        inside = here.is_relative_to(ROOT) and here.relative_to(ROOT).parts[0] in PACKAGES
        known[path] = str(here.relative_to(ROOT)) if inside else None
    return known[path]


@contextmanager
def traced() -> Iterator[Way]:
    """Every call of a file of ours inside of the block, in all threads that begin there."""
    way, known, stack = Way(), {}, []
    seen: set[str] = set()

    def look(frame: FrameType, event: str, _arg: Any) -> None:
        if event not in ("call", "return"):
            return
        name = _name(frame.f_code.co_filename, known)
        if name is None:
            return
        if event == "return":
            if stack:
                stack.pop()
            return
        if stack and stack[-1] != name:
            way.changes.append((stack[-1], name))
        stack.append(name)
        if name not in seen:
            seen.add(name)
            way.files.append(name)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield way
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


# --- the five ways ----------------------------------------------------------------------------------------------------


def signed_move(folder: Path) -> Way:
    """A signed move over HTTP, from the request to its answer."""
    from tests.server.house import house, sqlite_url

    hall = house(sqlite_url(folder))
    players = [hall.player(number) for number in range(2)]
    game = hall.game("pig", players)
    for turn in range(2):
        seat = hall.client.get(f"/v1/games/{game}").get_json()["active"][0]
        body = players[seat].signed_move(game, [{"do": "roll"}])
        with traced() as way:
            answer = hall.client.post(f"/v1/games/{game}/moves", json=body)
        assert answer.status_code == 201, turn
    hall.close()
    return way


def turn_page(folder: Path) -> Way:
    """The page of a running game, for the player whose turn it is."""
    from tests.server.house import house, sqlite_url

    hall = house(sqlite_url(folder))
    players = [hall.player(number) for number in range(2)]
    game = hall.game("pig", players)
    seat = hall.client.get(f"/v1/games/{game}").get_json()["active"][0]
    browser = hall.browser()
    browser.sign_in(hall, f"player{seat}@example.org")
    for _ in range(2):
        with traced() as way:
            answer = browser.get(f"/games/{game}")
    assert b"Sign and send" in answer.data or answer.status_code == 200
    hall.close()
    return way


@contextmanager
def _post(folder: Path) -> Iterator[Any]:
    from tests.workers.house import Sink
    from tests.workers.replies.post import Post

    sink = Sink()
    post = Post(f"sqlite:///{folder / 'house.db'}", sink)
    try:
        yield post
    finally:
        post.close()
        sink.stop()


def turn_mail(folder: Path) -> Way:
    """The mail to the player whose turn it is, from the outbox row to the SMTP server."""
    import sqlalchemy as sa

    from server.kernel.db.models import Notification, Outbox
    from tests.workers.house import deliver_in
    from workers.dispatch import dispatch_in

    with _post(folder) as post:
        game = post.game("pig", unsigned=True)
        post.react()
        for _ in range(2):
            seat = post.table(game).active[0]
            while post.table(game).active[0] == seat:
                post.play_default(game)
            with post.services.database.read() as session:
                rows = list(
                    session.scalars(sa.select(Outbox.id).where(Outbox.dispatched_at.is_(None)).order_by(Outbox.id))
                )
            with traced() as way:
                made = [number for row in rows for number in dispatch_in(post.shop, row)]
                sent = [deliver_in(post.shop, number) for number in made]
            assert "sent" in sent
            assert Notification.__tablename__
    return way


def reply(folder: Path) -> Way:
    """A signed reply by mail that becomes a move, from the kept mail to the logged entry."""
    from tests.workers.replies.post import _numbers  # noqa: F401  (names of mails are counted there)
    from workers.replies.take import take_in

    with _post(folder) as post:
        game = post.game("pig", unsigned=True)
        post.react()
        for _ in range(2):
            name = ("ada", "ben")[post.table(game).active[0]]
            mail = post.asked(name)
            numbers = post.arrive(post.written(mail, "roll"), mail)
            with traced() as way:
                did = [take_in(post.shop, number) for number in numbers]
            assert did == ["played"]
            post.react()
    return way


def clocks_move(folder: Path) -> Way:
    """The move that the server plays when a deadline has passed, from the clock's tick to the logged entry."""
    from workers.deadlines import tick

    with _post(folder) as post:
        game = post.game("pig", unsigned=True)
        for _ in range(2):
            before = len(post.kinds(game))
            post.pass_time(days=4)
            with traced() as way:
                tick(post.shop)
            assert post.kinds(game)[before:].count("expired") >= 1
    return way


WAYS: dict[str, Callable[[Path], Way]] = {
    "signed-move": signed_move,
    "turn-mail": turn_mail,
    "reply": reply,
    "turn-page": turn_page,
    "clock": clocks_move,
}


def walk(name: str) -> Way:
    """One way, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return WAYS[name](Path(folder))


if __name__ == "__main__":
    for each in WAYS:
        found = walk(each)
        print(f"{each:12} enters {len(found.files):3} files, changes file {len(found.changes):5} times")  # noqa: T201
