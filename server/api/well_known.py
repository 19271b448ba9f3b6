"""Where anybody finds the keys with which this server signs its notes, outside of the API's versions."""

from __future__ import annotations

import msgspec
from flask import Response

from server.api.house import resource, services
from server.api.schemas.well_known import ServerKeysSchema
from server.projections import server_keys
from server.tags import conditional

FRESH = 300  # seconds: a new key is known for days before anybody meets it

blp = resource("server", "The server's own keys.", "/.well-known")


@blp.route("/sealedmove.json", methods=["GET"])
@blp.response(200, ServerKeysSchema)
@blp.alt_response(304, description="You have it already: `If-None-Match` was its `ETag`.", success=True)
def get_server_keys() -> Response:
    """The keys with which this server signs its notes, the oldest first; none is ever removed.

    Keep what you saw first: a later document continues it, each key after the first being signed by the one before.
    """
    body = msgspec.json.encode(server_keys.document(services()))
    answer = Response(body, mimetype="application/json")
    answer.headers["Cache-Control"] = f"public, max-age={FRESH}"
    return conditional(answer)
