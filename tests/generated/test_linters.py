"""Two common linters find nothing in the document, except for the exceptions in openapi/lint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.generated import tools

pytestmark = pytest.mark.slow

LINT = tools.ROOT / "openapi" / "lint"


def redocly(document: Path) -> list[str]:
    """Its findings by its strictest rules, errors and warnings."""
    done = tools.program("redocly", "lint", document, "--config", LINT / "redocly-strict.yaml", "--format", "json")
    found = json.loads(done.stdout[done.stdout.index("{") : done.stdout.rindex("}") + 1])
    return [f"{one['ruleId']}: {one['message']}" for one in found["problems"] if not one.get("ignored")]


def spectral(document: Path) -> list[str]:
    done = tools.program(
        "spectral", "lint", document, "--ruleset", LINT / "spectral.yaml", "--format", "json", "--quiet"
    )
    found = json.loads(done.stdout[: done.stdout.rindex("]") + 1])
    return [f"{one['code']}: {one['message']} {'.'.join(map(str, one['path']))}" for one in found]


@pytest.mark.parametrize("lint", [redocly, spectral])
def test_a_linter_finds_nothing(lint):
    """No errors, no warnings."""
    assert lint(tools.ROOT / "openapi" / "openapi.json") == []


@pytest.mark.parametrize("lint", [redocly, spectral])
def test_a_linter_finds_a_missing_operation_id(lint, tmp_path: Path):
    """In a small document."""
    operation = {"responses": {"200": {"description": "Well."}}}
    small = {"openapi": "3.1.0", "info": {"title": "Small", "version": "1"}, "paths": {"/well": {"get": operation}}}
    (tmp_path / "openapi.json").write_text(json.dumps(small))
    assert any(found.startswith("operation-operationId") for found in lint(tmp_path / "openapi.json"))
