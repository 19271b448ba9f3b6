"""The API's page: every operation of /v1/openapi.json, to read and to try. Nothing comes from elsewhere.

It is rendered here and reads without a script; trying sends a request from the browser by one small script of ours.
A token typed into the page stays in that page and is sent to this server only.
"""

from __future__ import annotations

from flask import Response, current_app

from server.web import contract
from server.web.house import blueprint, page, services


@blueprint.get("/v1/docs")
def docs_page() -> Response:
    """The document does not change while a process lives, so its arrangement is made once."""
    known = current_app.extensions
    if "docs" not in known:
        document = known["api"].document
        known["docs"] = {
            "info": document["info"],
            "resources": contract.resources(document),
            "schemas": contract.schemas(document),
        }
    return page("docs.html", url=services().settings.public_url, **known["docs"])
