"""The part of Prometheus that the alerts use: scrapes, and expressions of a few shapes; any other is refused.

    metric{label="value"} > 1
    metric{label=~"value|other"} > 1
    time() - metric > 1
    metric - time() < 1
    absent(metric)

Labels are compared with `=` and `=~`, values with `<`, `>` and `==`. How long a condition has to last (`for`) is left
to promtool.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from operator import eq, gt, lt
from typing import NamedTuple

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.servers import patient

NAME = r"(?P<name>[a-z_]+)(?:\{(?P<labels>[^}]*)\})?"
COMPARED = r" (?P<by><|>|==) (?P<to>[0-9]+(?:\.[0-9]+)?)"
SHAPES = {
    "value": re.compile(NAME + COMPARED),
    "age": re.compile(r"time\(\) - " + NAME + COMPARED),
    "left": re.compile(NAME + r" - time\(\)" + COMPARED),
    "absent": re.compile(r"absent\((?P<name>[a-z_]+)(?P<labels>)\)"),
}
LABEL = re.compile(r'([a-z]+)(=~?)"([^"\\]*)"')
BY = {"<": lt, ">": gt, "==": eq}


class Sample(NamedTuple):
    """A value of a series."""

    name: str
    labels: Mapping[str, str]
    value: float


class Expression(NamedTuple):
    """A condition of one of the shapes."""

    shape: str
    name: str
    labels: dict[str, re.Pattern[str]]
    by: str = ""
    to: float = 0


def parse(text: str) -> Expression:
    """ValueError for any other shape."""
    for shape, pattern in SHAPES.items():
        if found := pattern.fullmatch(text):
            given = found.groupdict()
            labels = _labels(given["labels"] or "")
            return Expression(shape, given["name"], labels, given.get("by") or "", float(given.get("to") or 0))
    raise ValueError(f"an expression of another shape: {text}")


def _labels(text: str) -> dict[str, re.Pattern[str]]:
    parts = [LABEL.fullmatch(part.strip()) for part in text.split(",") if part.strip()]
    if None in parts:
        raise ValueError(f"labels that are compared by something else than = and =~: {text}")
    return {part[1]: re.compile(part[3] if part[2] == "=~" else re.escape(part[3])) for part in parts if part}


def _has(one: Sample, labels: Mapping[str, re.Pattern[str]]) -> bool:
    return all(pattern.fullmatch(one.labels.get(name, "")) for name, pattern in labels.items())


def fires(text: str, samples: Iterable[Sample], now: float) -> list[dict[str, str]]:
    """The labels of each series for which the condition holds."""
    one = parse(text)
    found = [each for each in samples if each.name == one.name and _has(each, one.labels)]
    if one.shape == "absent":
        return [] if found else [{}]
    worth = {"value": lambda value: value, "age": lambda value: now - value, "left": lambda value: value - now}
    return [dict(each.labels) for each in found if BY[one.by](worth[one.shape](each.value), one.to)]


def read(text: str) -> list[Sample]:
    """The samples of an answer to a scrape."""
    families = text_string_to_metric_families(text)
    return [Sample(one.name, one.labels, one.value) for family in families for one in family.samples]


def scrape(port: int) -> list[Sample]:
    """As Prometheus does, with its own `up` for each target."""
    target = {"job": "sealedmove", "instance": f"127.0.0.1:{port}"}
    try:
        text = patient.get(f"http://{target['instance']}/metrics").raise_for_status().text
    except httpx.HTTPError:
        return [Sample("up", target, 0)]
    return [Sample("up", target, 1), *(Sample(one.name, {**one.labels, **target}, one.value) for one in read(text))]
