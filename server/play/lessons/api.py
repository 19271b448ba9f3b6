"""The API of guided first games."""

from __future__ import annotations

from typing import Any

from flask import Response

from server.http.resource import UNCHANGED, may_refuse, resource, tagged
from server.http.schemas import MOST
from server.kernel.errors import Problem
from server.play.lessons import read
from server.play.lessons.schemas import LessonSchema, StageQuerySchema, StageSchema
from server.play.schemas import IntentSchema, PreviewSchema

lessons_blp = resource("lessons", "Guided first games: prepared positions with a prompt for each move.")


@lessons_blp.route("/types/<key>/lesson", methods=["GET"])
@lessons_blp.response(200, LessonSchema)
@lessons_blp.alt_response(304, description=UNCHANGED, success=True)
def get_lesson(key: str) -> Response:
    """Get the guided first game of a type.

    Its steps in words. 404 if the game has none.
    """
    return tagged(read.overview(key))


@lessons_blp.route(f"/types/<key>/lesson/<int(min=1, max={MOST}):step>", methods=["GET"])
@lessons_blp.arguments(StageQuerySchema, location="query")
@lessons_blp.response(200, StageSchema)
@lessons_blp.alt_response(304, description=UNCHANGED, success=True)
def get_lesson_step(arguments: dict[str, Any], key: str, step: int) -> Response:
    """Get a step of a guided first game.

    With its position, which follows from the number alone: the server stores nothing about your progress. The step
    after the last one is the end.
    """
    return tagged(read.stage(key, step, arguments.get("palette", "light")))


@lessons_blp.route(f"/types/<key>/lesson/<int(min=1, max={MOST}):step>/preview", methods=["POST"])
@may_refuse(409, by_rules=True)
@lessons_blp.arguments(IntentSchema)
@lessons_blp.response(200, PreviewSchema)
def preview_lesson_step(given: dict[str, Any], key: str, step: int) -> dict[str, Any]:
    """Preview a move at a step of a guided first game.

    Any move that the rules allow, not only the one that the step asks for. The preview stops before the first draw or
    reveal.
    """
    if given.get("type", key) != key:
        raise Problem("other-type", found=given["type"], expected=key)
    return read.preview(key, step, given.get("commands"), given.get("notation"), given.get("palette", "light"))
