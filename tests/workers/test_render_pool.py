"""Pictures of positions: few colours, drawn once, by processes that may die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import psutil
import pytest
from PIL import Image

from tests.kit.patience import PATIENCE, until
from workers.mail import picture, render_pool
from workers.mail.render_pool import RenderPool

FRAME = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{}</svg>'
SQUARE = FRAME.format('<rect width="9" height="9" fill="#{}"/>')
MANY = FRAME.format(
    "".join(
        f'<circle cx="{x * 4.3}" cy="{y * 4.3}" r="3.1" fill="#{x * 16:02x}{y * 16:02x}{(x * 37 + y * 91) % 256:02x}"/>'
        for x in range(16)
        for y in range(16)
    )
)


@pytest.fixture(scope="module")
def made():
    one = RenderPool()
    yield one
    one.close()


def colours(png: bytes) -> int:
    with Image.open(BytesIO(png)) as image:
        return len(image.convert("RGB").getcolors(1 << 24))


@pytest.mark.slow
def test_a_picture_has_at_most_64_colours():
    """With as few octets as that allows."""
    assert colours(picture.png(MANY)) <= 64
    assert colours(picture.png(SQUARE.format("00ff00"))) == 2


def test_a_picture_has_a_white_background():
    """A mail program may show transparent parts on black."""
    with Image.open(BytesIO(picture.png(SQUARE.format("00ff00")))) as image:
        assert min(image.convert("RGBA").getpixel((639, 639))) > 250  # the palette's white is nearly that


def test_a_large_picture_that_declares_few_colours_has_at_most_32():
    """So that the mail is not clipped."""
    *_, least = picture.fewer_colours(picture.drawn(MANY, 640), b"")
    assert colours(least) <= 32


def test_a_picture_that_stays_too_large_keeps_its_width(monkeypatch):
    """After each try one with half the colours, unless that could not be enough; the last has the best compression."""
    tried = []
    note = lambda flat, colours, kept, effort: tried.append((flat.width, colours, effort)) or b"p" * 99  # noqa: E731
    monkeypatch.setattr(picture, "_saved", note)
    monkeypatch.setattr(picture, "is_too_large", lambda svg, most: False)
    monkeypatch.setattr(picture, "MOST", 98)
    picture.png(MANY)
    assert tried == [(640, colours, effort) for effort in (6, 6, 6, 9) for colours in (64, 32)]
    tried.clear()
    monkeypatch.setattr(picture, "MOST", 60)
    picture.png(MANY)
    assert tried == [(640, 64, 6)] * 3 + [(640, 64, 9), (640, 32, 9)]


def test_a_drawing_has_the_requested_width_and_its_own_ratio():
    """With any size and unit; other widths inside it are unchanged."""
    given = '<svg width="210mm" viewBox="0 0 210 297" height="297mm" stroke-width="3"/>'
    assert picture.sized(given, 100) == '<svg width="100" height="141.429" viewBox="0 0 210 297" stroke-width="3"/>'


@pytest.mark.parametrize("drawing", ["<svg", "<svg/>", '<svg viewBox="0 0 0 9"/>', FRAME.format("<x:g/>")])
def test_an_invalid_drawing_gives_no_picture(made, drawing):
    """In this process or in another. The last one has an undeclared prefix, which makes the renderer panic."""
    assert picture.png(drawing) is None
    assert made.draw(drawing) is None
    assert made.draw(SQUARE.format("00ff05")) is not None


def test_a_shared_drawing_is_drawn_once(made, monkeypatch):
    """Even if requested at the same time; another drawing is another picture."""
    asked = []
    submit = render_pool.ProcessPoolExecutor.submit
    monkeypatch.setattr(
        render_pool.ProcessPoolExecutor, "submit", lambda *given: asked.append(given[2]) or submit(*given)
    )
    red, blue = SQUARE.format("ff0000"), SQUARE.format("0000ff")
    with ThreadPoolExecutor(4) as threads:
        drawn = list(threads.map(made.draw, [red, blue] * 4))
    assert sorted(asked) == sorted([red, blue])
    assert drawn == [picture.png(red), picture.png(blue)] * 4


def test_unused_pictures_are_dropped(made, monkeypatch):
    """The oldest first."""
    monkeypatch.setattr(render_pool, "KEPT", 2)
    drawings = [SQUARE.format(f"00000{n}") for n in range(3)]
    for one in drawings:
        made.draw(one)
    assert list(made._drawn) == drawings[1:]


@pytest.mark.slow
def test_a_killed_drawer_is_replaced(made):
    """The next picture is drawn."""
    made.draw(SQUARE.format("00ff01"))
    for child in drawers():
        with suppress(psutil.NoSuchProcess):  # of two, the other ends after the first
            child.kill()
            child.wait(PATIENCE)
    new = SQUARE.format("00ff02")
    assert made.draw(new) == picture.png(new)


@pytest.mark.slow
def test_no_drawer_outlives_a_closed_pool():
    """A forked worker that exits before its drawers would wait for them forever."""
    others, one = drawers(), RenderPool()
    one.draw(SQUARE.format("00ff06"))
    own = [child for child in drawers() if child not in others]
    assert own
    one.close()
    assert not any(map(is_alive, own))
    assert one.draw(SQUARE.format("00ff07")) is None


def drawers(pid: int | None = None) -> list[psutil.Process]:
    return [child for child in psutil.Process(pid).children() if "spawn_main" in words(child)]


def words(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@pytest.mark.slow
def test_an_endless_drawing_loses_its_own_picture_only(made):
    """An alarm ends its process; the mail is sent without it."""
    made.draw(SQUARE.format("00ff03"))
    pool = made._pool
    hung = pool.submit(_hang)
    with pytest.raises(render_pool.BrokenProcessPool):
        hung.result(PATIENCE)
    later = SQUARE.format("00ff04")
    assert made.draw(later) == picture.png(later)


def test_a_drawing_that_is_never_answered_is_given_to_another_pool(made, monkeypatch):
    """A pool that breaks while it takes a drawing forgets it (CPython 3.11); no thread waits for that for ever."""
    answered = Future()
    answered.set_result(b"picture")
    answers = [Future(), answered]
    asked = []
    monkeypatch.setattr(render_pool, "PATIENCE", 0)
    monkeypatch.setattr(
        render_pool.ProcessPoolExecutor, "submit", lambda pool, *_: asked.append(pool) or answers[len(asked) - 1]
    )
    assert made.draw(SQUARE.format("00ff06")) == b"picture"
    assert asked[0] is not asked[1]


def _hang() -> None:
    render_pool.LONGEST = 0.1
    picture.png = lambda _: signal.pause()
    render_pool._draw("")


PARENT = """
import os, sys
from workers.mail.render_pool import RenderPool
if __name__ == "__main__":
    RenderPool().draw(sys.argv[1])
    print("drawn", flush=True)
    sys.stdin.read()
"""


def test_drawers_end_with_a_killed_worker(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, script, SQUARE.format("ff00ff")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    assert parent.stdout.readline() == b"drawn\n"
    children = drawers(parent.pid)
    assert children
    parent.kill()
    parent.communicate()
    until(lambda: not any(map(is_alive, children)), "a drawer outlives its worker")


def is_alive(child: psutil.Process) -> bool:
    try:
        return child.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
