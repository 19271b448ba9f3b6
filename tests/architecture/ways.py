"""Five ways through the house, traced with a profiler: which files each enters, and how often it changes file.

    python -m tests.architecture.ways          print the figures, beside those from before there were rooms
    python -m tests.architecture.ways --write  draw docs/ways/*.svg

A file counts if a function, method, comprehension or template of it is called between the beginning and the end of the
way. What happens once for a process (imports, templates compiled, statements cached) is over by then: each way is
walked twice, and the second time counts.
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

import sqlalchemy as sa

from server.kernel.db.models import Outbox
from tests.server.harness import Harness, Player, harness, sqlite_url
from tests.workers.harness import Sink, deliver_in
from tests.workers.replies.post import Post
from workers.deadlines import tick
from workers.dispatch import dispatch_in
from workers.replies.process import process_in

ROOT = Path(__file__).parents[2]
DRAWN = ROOT / "docs" / "ways"
PACKAGES = ("engine", "server", "workers")


@dataclass
class Way:
    """The profiler's result: files in the order in which they were entered first, and how often one called another."""

    files: list[str] = field(default_factory=list)
    changes: int = 0


def _named(path: str) -> str | None:
    """The path from the root of a file of ours; None for a test, a library or a game's rules."""
    here = Path(path)
    inside = here.is_relative_to(ROOT) and here.relative_to(ROOT).parts[0] in PACKAGES
    return here.relative_to(ROOT).as_posix() if inside else None


@contextmanager
def traced() -> Iterator[Way]:
    """Record every call of the project's files inside the block."""
    way, known, stack = Way(), {}, []

    def look(frame: FrameType, event: str, _arg: Any) -> None:
        if event not in ("call", "return"):
            return
        path = frame.f_code.co_filename
        name = known[path] if path in known else known.setdefault(path, _named(path))
        if name is None:
            return
        if event == "return":
            if stack:
                stack.pop()
            return
        way.changes += bool(stack) and stack[-1] != name
        stack.append(name)
        if name not in way.files:
            way.files.append(name)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield way
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


# --- the five ways ----------------------------------------------------------------------------------------------------


@contextmanager
def _game_on_a_server(folder: Path) -> Iterator[tuple[Harness, list[Player], str]]:
    hall = harness(sqlite_url(folder))
    players = [hall.player(number) for number in range(2)]
    try:
        yield hall, players, hall.game("pig", players)
    finally:
        hall.close()


@contextmanager
def _game_by_mail(folder: Path) -> Iterator[tuple[Post, str]]:
    sink = Sink()
    post = Post(f"sqlite:///{folder / 'house.db'}", sink)
    try:
        yield post, post.game("pig", unsigned=True)
    finally:
        post.close()
        sink.stop()


def signed_move(folder: Path) -> Way:
    """A signed move over HTTP, from the request to its answer."""
    with _game_on_a_server(folder) as (hall, players, game):
        for _ in range(2):
            seat = hall.client.get(f"/v1/games/{game}").get_json()["active"][0]
            body = players[seat].signed_move(game, [{"do": "roll"}])
            with traced() as way:
                answer = hall.client.post(f"/v1/games/{game}/moves", json=body)
            assert answer.status_code == 201
    return way


def turn_page(folder: Path) -> Way:
    """The page of a running game, for the player whose turn it is."""
    with _game_on_a_server(folder) as (hall, _, game):
        seat = hall.client.get(f"/v1/games/{game}").get_json()["active"][0]
        browser = hall.browser()
        browser.sign_in(hall, f"player{seat}@example.org")
        for _ in range(2):
            with traced() as way:
                answer = browser.get(f"/games/{game}")
            assert b"Your move" in answer.data
    return way


def turn_mail(folder: Path) -> Way:
    """The mail to the player whose turn it is, from the outbox row to the SMTP server."""
    with _game_by_mail(folder) as (post, game):
        post.react()
        for _ in range(2):
            seat = post.table(game).active[0]
            while post.table(game).active[0] == seat:
                post.play_default(game)
            rows = _undispatched(post)
            with traced() as way:
                made = [number for row in rows for number in dispatch_in(post.ctx, row)]
                sent = [deliver_in(post.ctx, number) for number in made]
            assert "sent" in sent
    return way


def _undispatched(post: Post) -> list[int]:
    with post.services.database.read() as session:
        return list(session.scalars(sa.select(Outbox.id).where(Outbox.dispatched_at.is_(None)).order_by(Outbox.id)))


def reply(folder: Path) -> Way:
    """A signed reply by mail that becomes a move, from the kept mail to the logged entry."""
    with _game_by_mail(folder) as (post, game):
        post.react()
        for _ in range(2):
            mail = post.asked(("ada", "ben")[post.table(game).active[0]])
            post.arrive(post.written(mail, "roll"), mail)
            number = post.kept()[-1].id
            with traced() as way:
                did = process_in(post.ctx, number)
            assert did == "played"
            post.react()
    return way


def clocks_move(folder: Path) -> Way:
    """The move that the server plays when a deadline has passed, from the clock's tick to the logged entry."""
    with _game_by_mail(folder) as (post, game):
        for _ in range(2):
            before = len(post.kinds(game))
            post.pass_time(days=4)
            with traced() as way:
                tick(post.ctx)
            assert "expired" in post.kinds(game)[before:]
    return way


WAYS: dict[str, Callable[[Path], Way]] = {
    "signed-move": signed_move,
    "turn-mail": turn_mail,
    "reply": reply,
    "turn-page": turn_page,
    "clock": clocks_move,
}
# Files entered and changes of file at commit 5293202, before there were rooms, by this same tracer.
BEFORE = {
    "signed-move": (49, 208),
    "turn-mail": (67, 655),
    "reply": (50, 250),
    "turn-page": (59, 1359),
    "clock": (29, 181),
}
# Files that a way may enter; docs/adr/server-rooms.md says what the capabilities that came later added.
MOST = {"signed-move": 35, "turn-mail": 55, "reply": 39, "turn-page": 50, "clock": 29}


def walk(name: str) -> Way:
    """One way, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return WAYS[name](Path(folder))


# --- pictures ---------------------------------------------------------------------------------------------------------

# Columns from the outside inwards: an arrow to the right goes down a layer.
COLUMNS = (
    *("workers", "server/operate", "server/accounts", "server/play", "server/evidence", "server/mailbox"),
    *("server/hooks", "server/tables", "server/http", "server/log", "server/kernel", "engine/record", "engine"),
)
ROW, COLUMN, LEFT, TOP = 17, 62, 12, 44


def column(name: str) -> int:
    """The room of a file, by its place among the columns."""
    rooms = [room for room in COLUMNS if name.startswith(f"{room}/")]
    return COLUMNS.index(max(rooms, key=len))


def drawing(name: str, files: list[str]) -> str:
    """The way as SVG: a row for each file in the order in which it is entered first, a column for each room."""
    used = [place for place in range(len(COLUMNS)) if place in {column(one) for one in files}]
    at = {place: LEFT + used.index(place) * COLUMN for place in used}
    points = [(at[column(one)], TOP + row * ROW) for row, one in enumerate(files)]
    width, height = LEFT + len(used) * COLUMN + 300, TOP + len(files) * ROW
    path = " ".join(f"{x},{y}" for x, y in points)
    lines = [f'<text x="{at[place]}" y="{14 + 13 * (number % 2)}" class="r">{COLUMNS[place].rpartition("/")[2]}</text>'
             for number, place in enumerate(used)]  # fmt: skip
    lines += [f'<path d="M{at[place]} 34V{height - 8}" class="c"/>' for place in used]
    lines.append(f'<polyline points="{path}"/>')
    for (x, y), one in zip(points, files, strict=True):
        lines.append(f'<circle cx="{x}" cy="{y}" r="3.5"/><text x="{x + 8}" y="{y + 4}">{one}</text>')
    style = (
        "text{font:11px monospace;fill:#1b2733;paint-order:stroke;stroke:#fff;stroke-width:3px}.r{font-weight:bold}"
        ".c{stroke:#d7dde3}polyline{fill:none;stroke:#1f5f8b}circle{fill:#1f5f8b}"
    )
    says = WAYS[name].__doc__
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    ground = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return "\n".join([head, f"<title>{says}</title>", f"<style>{style}</style>", ground, *lines, "</svg>", ""])


if __name__ == "__main__":
    for each in WAYS:
        found = walk(each)
        files, changes = BEFORE[each]
        entered, changed = f"{len(found.files):3} files ({files} before)", f"{found.changes:4} times ({changes} before)"
        print(f"{each:12} enters {entered}, changes file {changed}", file=sys.stderr)  # noqa: T201
        if "--write" in sys.argv:
            DRAWN.mkdir(exist_ok=True)
            (DRAWN / f"{each}.svg").write_text(drawing(each, found.files), "utf-8")
