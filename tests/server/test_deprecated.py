"""A deprecated operation is marked as such in its answers and in the document."""

from datetime import UTC, datetime

import pytest
from flask import Response

from server.http.app import create_app
from server.http.resource import deprecated, resource
from server.kernel.errors import Problem
from tests.server.harness import Client, settings

SINCE, ENDS = datetime(2026, 11, 21, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC)


@pytest.fixture
def app(tmp_path):
    """The house with one more operation, which is deprecated."""
    old = resource("old", "What goes away.")

    @old.route("/old/<word>", methods=["GET"])
    @deprecated(SINCE, ENDS, "/v1/docs")
    @old.response(200, {"type": "string"})
    def get_old(word):
        """What was.

        Long ago.
        """
        if word == "no":
            raise Problem("not-found")
        return Response(word)

    made = create_app(settings(f"sqlite:///{tmp_path / 'none.db'}"))
    made.extensions["api"].register_blueprint(old)
    return made


@pytest.mark.parametrize(("word", "status"), [("yes", 200), ("no", 404)])
def test_a_deprecated_operation_says_until_when(app, word: str, status: int):
    """RFC 9745 and RFC 8594, in refusals too."""
    answer = Client(app).get(f"/v1/old/{word}")
    assert answer.status_code == status
    assert answer.headers["Deprecation"] == "@1795219200"
    assert answer.headers["Sunset"] == "Tue, 01 Jun 2027 00:00:00 GMT"
    assert answer.headers["Link"] == '</v1/docs>; rel="deprecation"'


def test_the_document_says_it_too(app):
    """With the headers, which it names only where something is deprecated."""
    document = Client(app).get("/v1/openapi.json").get_json()
    operation = document["paths"]["/v1/old/{word}"]["get"]
    assert operation["deprecated"] is True
    assert {"Deprecation", "Sunset", "Link"} <= operation["responses"]["200"]["headers"].keys()
    assert {"Deprecation", "Sunset"} <= document["components"]["headers"].keys()


def test_no_other_answer_says_so(app):
    """A header on every answer would mean nothing."""
    assert "Deprecation" not in Client(app).get("/v1/types").headers
