"""The pages of a guided first game, one for each step. Without scripts a lesson is read, with them it is played."""

from __future__ import annotations

from flask import Response, request

from engine import registry
from engine.kit import Palette
from server.http.page import blueprint, page
from server.http.schemas import MOST
from server.play.guide import drawing
from server.play.lessons import read
from server.tables.page import quick_start


@blueprint.get("/learn/<key>")
def lesson_page(key: str) -> Response:
    """The first step; 404 if the game has no lesson."""
    return lesson_step_page(key, 1)


@blueprint.get(f"/learn/<key>/<int(min=1, max={MOST}):step>")
def lesson_step_page(key: str, step: int) -> Response:
    """A step with its position; the one after the last is the end, which leads on to a game."""
    taught, at = read.lesson_of(key), read.sight(key, step)
    is_end = step > len(taught.steps)
    return page(
        "lesson.html",
        key=key,
        title=registry.find(key).meta.title,
        lesson=taught,
        step=step,
        is_end=is_end,
        prompt=None if is_end else taught.steps[step - 1],
        sentences=read.happened(key, step),
        board=read.board(at),
        **(quick_start() | {"chosen": key} if is_end else {}),
    )


@blueprint.get(f"/learn/<key>/<int(min=1, max={MOST}):step>/picture.svg")
def lesson_picture(key: str, step: int) -> Response:
    """The position of a step."""
    palette: Palette = "dark" if request.args.get("palette") == "dark" else "light"
    return drawing(read.picture(read.sight(key, step), palette))
