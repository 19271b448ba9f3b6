"""Words of the pages and the arrangement of the API's document, without a server."""

from datetime import UTC, datetime, timedelta

import pytest

from server.http import page as http
from server.http.document import page as reference
from server.kernel import text


@pytest.mark.parametrize(
    ("length", "said"),
    [
        ({"days": 2, "hours": 3, "minutes": 59}, "2 days 3 hours"),
        ({"days": 1, "minutes": 5}, "1 day"),
        ({"hours": 1, "minutes": 1}, "1 hour 1 minute"),
        ({"seconds": 59}, "less than a minute"),
        ({"days": -1}, "less than a minute"),
    ],
)
def test_a_span_is_shown_in_its_largest_units(length, said):
    """Two units at most, without zeros."""
    assert text.span(timedelta(**length)) == said


def test_a_moment_is_shown_in_utc():
    """In any time zone."""
    assert text.moment(datetime(2026, 11, 23, 9, 5, tzinfo=UTC)) == "Monday 23 November 2026, 09:05 UTC"


@pytest.mark.parametrize(
    ("clock", "bank"),
    [
        ({"bank": 3600, "increment": 0}, True),
        ({"bank": 0, "increment": 60}, True),
        ({"bank": 0, "increment": 0}, False),
        (None, False),
    ],
)
def test_the_course_of_a_clock_names_a_time_bank_only_if_there_is_one(clock, bank):
    assert ("time bank" in text.clock_course(clock)) is bank


def test_names_are_joined_with_commas_and_and():
    """One, two, several."""
    assert [text.people(["A", "B", "C"][:n]) for n in (1, 2, 3)] == ["A", "A and B", "A, B and C"]


def test_a_name_is_one_printable_line():
    """Line feeds, and characters that reverse the text around them, are removed."""
    assert text.clean(" Ada\n\u202eof\u200b X ") == "Ada of X"


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Ada", "Ben", None], ["Ada", "Ben", None]),
        (["Ada", "\u0410d\u0430", None, "Ben"], ["Ada (seat 1)", "\u0410d\u0430 (seat 2)", None, "Ben"]),
        (["Il", "l1", "ll (bot)"], ["Il (seat 1)", "l1 (seat 2)", "ll (bot) (seat 3)"]),
        (["Zoe", "Z O E", "Zo\u00eb"], ["Zoe (seat 1)", "Z O E (seat 2)", "Zo\u00eb (seat 3)"]),
        (["Ada (seat 2)", "Ada"], ["Ada (seat 2) (seat 1)", "Ada (seat 2)"]),
        (["!", "?"], ["!", "?"]),
    ],
)
def test_names_that_look_alike_show_their_seat(names, shown):
    """In other letters, cases, spaces or accents, with a badge or an imitation; others stay the same."""
    assert text.distinct_names(names) == shown


def test_only_text_in_backticks_becomes_markup():
    """Everything else is escaped, inside the code too."""
    assert http.marked("a `<b>` <i>") == "a <code>&lt;b&gt;</code> &lt;i&gt;"


DOCUMENT = {
    "tags": [{"name": "games", "description": "Games."}],
    "paths": {
        "/games/{id}": {
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "post": {
                "tags": ["games"],
                "security": [{"token": ["play"]}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Wish"}}}},
                "responses": {"422": {"description": "No."}, "201": {"description": "Made."}},
            },
            "get": {"security": [{}, {"token": ["read"]}], "responses": {}},
        }
    },
    "components": {
        "parameters": {"id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}},
        "schemas": {
            "Wish": {
                "type": "object",
                "properties": {
                    "kind": {"enum": ["pig", "bids"]},
                    "seats": {"type": "integer", "minimum": 2},
                    "more": {"type": "array", "items": {"$ref": "#/components/schemas/Wish"}},
                },
            }
        },
    },
}


def test_operations_are_grouped_by_tag():
    """Then those without a tag; parameters shared by a path belong to each of its operations."""
    games, other = reference.resources(DOCUMENT)
    assert (games["name"], other["name"]) == ("games", "other")
    post, get = games["operations"][0], other["operations"][0]
    assert (post["scope"], get["scope"]) == ("play", "")
    assert post["parameters"] == get["parameters"]
    assert post["body"]["schema"] == "Wish"
    assert [answer["code"] for answer in post["answers"]] == ["201", "422"]


def test_an_example_has_the_schemas_shape():
    """The first of a choice, the least of a number; a recursive schema comes to an end."""
    made = reference.example(DOCUMENT, DOCUMENT["components"]["schemas"]["Wish"])
    assert (made["kind"], made["seats"]) == ("pig", 2)
    assert made["more"][0]["more"][0]["seats"] == 2


def test_only_code_and_strong_text_are_marked():
    """A single star, also within code, is text; markup is escaped."""
    assert str(http.marked("**May** `a**b**` <b> 2*3")) == "<strong>May</strong> <code>a**b**</code> &lt;b&gt; 2*3"
    assert str(http.marked("plain")) == "plain"
