"""A comparison of two documents finds every breaking change and ignores changes that need no notice."""

import copy
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.http.document.breaking_changes import bare, breaking
from server.operate.openapi import document, openapi

COMMITTED = json.loads(Path("openapi/openapi.json").read_text())


@pytest.fixture
def new():
    return copy.deepcopy(COMMITTED)


def answers(new, name):
    return operation(new, name)["responses"]


def operation(new, name):
    return next(
        one
        for item in new["paths"].values()
        for one in item.values()
        if isinstance(one, dict) and one.get("operationId") == name
    )


def schema(new, name):
    return new["components"]["schemas"][name]


def member(new, name, inner):
    return schema(new, name)["properties"][inner]


def body(new, name):
    return operation(new, name)["requestBody"]["content"]["application/json"]


def _moved(things, old, to):
    things[to] = things.pop(old)


def _renamed(new):
    text = json.dumps(new).replace("schemas/Head", "schemas/Tip").replace('"Head":', '"Tip":')
    new.update(json.loads(text))


def _more(new):
    new["paths"]["/v1/new"] = {"get": operation(new, "getMe") | {"operationId": "x"}}


def daily(planted):
    """As parameters: the first few run every day, all of them in long runs."""
    marks = [[], [pytest.mark.long]]
    return [pytest.param(plant, id=name, marks=marks[at >= 6]) for at, (name, plant) in enumerate(planted.items())]


BREAKING = {
    "an operation is gone": lambda new: new["paths"]["/v1/me"].pop("patch"),
    "an operation has another name": lambda new: operation(new, "joinGame").update(operationId="sitDown"),
    "an operation moves": lambda new: _moved(new["paths"], "/v1/me", "/v1/self"),
    "a token is asked for": lambda new: operation(new, "listGames").update(security=[{"token": ["read"]}]),
    "any token is asked for": lambda new: operation(new, "listGames").update(security=[{"token": []}]),
    "another scope is asked for": lambda new: operation(new, "listTurns").update(security=[{"token": ["account"]}]),
    "a parameter is gone": lambda new: operation(new, "getLog")["parameters"].pop(0),
    "a parameter is required": lambda new: operation(new, "getLog")["parameters"][0].update(required=True),
    "a parameter is bound tighter": lambda new: operation(new, "getLog")["parameters"][0]["schema"].update(maximum=5),
    "a member of a request is gone": lambda new: schema(new, "CreateGame")["properties"].pop("terms"),
    "a member of a request is required": lambda new: schema(new, "CreateGame")["required"].append("options"),
    "a value of a request is gone": lambda new: member(new, "CreateGame", "handover")["enum"].remove("both"),
    "a bound of a request is tighter": lambda new: member(new, "Grant", "seconds").update(maximum=60),
    "a type of a request is another": lambda new: member(new, "Rename", "name").update(type="integer"),
    "a command is gone": lambda new: schema(new, "TikalCommand")["oneOf"].pop(),
    "a command needs more": lambda new: schema(new, "TikalCamp")["required"].append("leader"),
    "a member of an answer is gone": lambda new: schema(new, "Game")["properties"].pop("terms"),
    "a member of an answer may lack": lambda new: schema(new, "Head")["required"].remove("seq"),
    "a type of an answer is another": lambda new: member(new, "Head", "seq").update(type="string"),
    "an answer may be null": lambda new: member(new, "Me", "name").update(type=["string", "null"]),
    "a closed enum of an answer has grown": lambda new: member(new, "Game", "status")["enum"].append("asleep"),
    "a bound of an answer is gone": lambda new: member(new, "Game", "status").pop("enum"),
    "a format of an answer is gone": lambda new: member(new, "Me", "created_at").pop("format"),
    "a member of a view is gone": lambda new: schema(new, "TikalView")["properties"].pop("levels"),
    "an event lacks a member": lambda new: schema(new, "TikalCampPitched")["required"].remove("cell"),
    "a header is gone": lambda new: operation(new, "createGame")["responses"]["201"]["headers"].pop("Location"),
    "an answer has another form": lambda new: answers(new, "getMe")["200"].update(content={"text/plain": {}}),
    "an answer has another status": lambda new: _moved(answers(new, "joinGame"), "201", "202"),
    "what is signed needs more": lambda new: schema(new, "JoinPayload")["required"].append("colour"),
}  # fmt: skip


@pytest.mark.parametrize("plant", daily(BREAKING))
def test_a_breaking_change_is_found(new, plant):
    """A client of the committed document would fail, or would receive something it cannot read."""
    plant(new)
    assert breaking(COMMITTED, new) != []


def _open(new):
    schema(new, "TikalEvent")["oneOf"].append({"$ref": "#/components/schemas/TikalStorm"})
    storm = {"type": "object", "properties": {"is": {"const": "Storm"}}, "required": ["is"]}
    new["components"]["schemas"]["TikalStorm"] = storm


def _bound(members):
    members["v"] = {"type": "integer", "minimum": 1, "maximum": 1}


PARAMETER = {"name": "x", "in": "query", "schema": {}}
GROWING = {
    "nothing": lambda new: None,
    "an operation": _more,
    "an optional parameter": lambda new: operation(new, "getLog")["parameters"].append(PARAMETER),
    "a scope less": lambda new: operation(new, "listTurns").update(security=[]),
    "any token will do": lambda new: operation(new, "listTurns").update(security=[{"token": []}]),
    "an optional member of a request": lambda new: schema(new, "CreateGame")["properties"].update(colour={}),
    "a bound of a request that is wider": lambda new: member(new, "Grant", "seconds").update(maximum=10**7),
    "a value more in a request": lambda new: member(new, "CreateGame", "handover")["enum"].append("never"),
    "a member of an answer": lambda new: schema(new, "Game")["properties"].update(colour={"type": "string"}),
    "a required member of an answer": lambda new: schema(new, "Me")["required"].append("colour"),
    "a code": lambda new: member(new, "Problem", "code")["enum"].append("too-late"),
    "a stage": lambda new: member(new, "GameType", "stage")["enum"].append("gold"),
    "an event": _open,
    "an error's status": lambda new: operation(new, "getMe")["responses"].update({"418": {"description": "Tea."}}),
    "other words": lambda new: member(new, "Game", "status").update(description="How it stands."),
    "an order": lambda new: schema(new, "TikalCommand")["oneOf"].reverse(),
    "a schema's name": _renamed,
    "bounds for a constant": lambda new: _bound(schema(new, "JoinPayload")["properties"]),
}  # fmt: skip


@pytest.mark.parametrize("grow", daily(GROWING))
def test_a_compatible_change_is_not_reported(new, grow):
    """By the policy in the document's description."""
    grow(new)
    assert breaking(COMMITTED, new) == []


def test_descriptions_are_not_compared():
    """A member that is called like one of them stays."""
    assert breaking(bare(COMMITTED), COMMITTED) == breaking(COMMITTED, bare(COMMITTED)) == []
    assert "description" in bare({"properties": {"description": {"description": "gone"}}})["properties"]


def test_the_document_is_compatible_with_the_released_one():
    """`make check` checks the same; openapi/README.md says how to fix it."""
    released = json.loads(Path("openapi/released.json").read_text())
    assert bare(released) == released
    assert breaking(released, COMMITTED) == []


@pytest.mark.slow
def test_the_check_names_breaking_changes(tmp_path):
    """Besides whether the document is up to date; it writes nothing."""
    made = json.loads(document())
    (tmp_path / "openapi.json").write_text(document())
    made["components"]["schemas"]["Grant"]["properties"]["seconds"]["maximum"] = 10**8
    (tmp_path / "released.json").write_text(json.dumps(made))
    said = CliRunner().invoke(openapi, ["--check", str(tmp_path / "openapi.json")])
    assert said.exit_code == 1
    assert "grantTime: Grant.seconds: maximum 604800" in said.output
    assert json.loads((tmp_path / "released.json").read_text()) == made


def test_a_change_is_reported_in_one_line(new):
    """The operation, the place in it, and the change."""
    member(new, "Grant", "seconds").update(maximum=60)
    assert breaking(COMMITTED, new) == ["grantTime: Grant.seconds: maximum 60"]
