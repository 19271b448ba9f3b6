"""deploy/grafana.json shows every metric, by names and labels that exist."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.test_alerts import NEEDS_PROMTOOL, promtool
from tests.docs.metrics import described

BOARD = json.loads((Path(__file__).parents[2] / "deploy/grafana.json").read_text("utf-8"))
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
TARGETS = [(panel["title"], target) for panel in PANELS for target in panel["targets"]]
NAME = re.compile(r"\b(?:sealedmove_[a-z_]+|up)\b")
OF_PROMETHEUS = {"job", "instance", "le"}


def known() -> dict[str, set[str]]:
    """The labels of each series; a histogram has its buckets, with the label `le`."""
    found = {one.name: {*one.labels} for one in described()}
    return found | {f"{name}_bucket": labels for name, labels in found.items()} | {"up": set()}


@pytest.mark.parametrize(("title", "target"), TARGETS, ids=[f"{title}-{one['refId']}" for title, one in TARGETS])
def test_a_panel_asks_for_metrics_and_labels_that_exist(title: str, target: dict[str, Any]):
    expression = target["expr"]
    names = NAME.findall(expression)
    assert len(names) == 1, title
    labels = {
        *re.findall(r"([a-z]+)=", expression),
        *(label.strip() for by in re.findall(r"by \(([^)]*)\)", expression) for label in by.split(",")),
        *re.findall(r"\{\{([a-z]+)\}\}", target["legendFormat"]),
    }
    assert labels <= known()[names[0]] | OF_PROMETHEUS


def test_the_board_shows_every_metric():
    """A rate or a percentile counts, as does each label that the alerts ask for."""
    shown = {name.removesuffix("_bucket") for _, target in TARGETS for name in NAME.findall(target["expr"])}
    assert shown == {one.name for one in described()} | {"up"}


def test_no_two_panels_have_one_number_or_one_place():
    numbers = [panel["id"] for panel in BOARD["panels"]]
    assert len(numbers) == len({*numbers})
    places = [panel["gridPos"] for panel in BOARD["panels"]]
    assert all(place["x"] + place["w"] <= 24 for place in places)
    assert not [pair for pair in combinations(places, 2) if _overlap(*pair)]


def _overlap(one: dict[str, int], other: dict[str, int]) -> bool:
    beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
    below = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
    return not (beside or below)


@NEEDS_PROMTOOL
def test_prometheus_can_parse_every_expression(tmp_path: Path):
    rules = [{"record": f"r{number}", "expr": target["expr"]} for number, (_, target) in enumerate(TARGETS)]
    path = tmp_path / "rules.yml"
    path.write_text(yaml.safe_dump({"groups": [{"name": "board", "rules": rules}]}))
    promtool("check", "rules", path)
