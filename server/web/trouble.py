"""A problem as a page: the same title and sentence as the API's document, for whoever came with a browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from server.advice import ADVICE
from server.web.house import page


def problem_page(body: Mapping[str, Any]) -> Response:
    """The page of a problem document; `detail` and `code` stand as they are."""
    status = int(body["status"])
    says = body.get("detail") or ADVICE.get(body["code"])
    return page("trouble.html", status=status, secret=True, title=body["title"], says=says, code=body["code"])
