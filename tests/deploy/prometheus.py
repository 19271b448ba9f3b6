"""The part of Prometheus that the alerts use: scrapes, and expressions of a few shapes; any other is refused.

    metric{label="value"} > 1
    metric{label=~"value|other"} > 1
    time() - metric > 1
    metric - time() < 1
    absent(metric)
    increase(metric[30m]) > 1
    sum by (instance) (rate(metric{label="value"}[5m])) / sum by (instance) (rate(metric[5m])) > 1

Labels are compared with `=` and `=~`, values with `<`, `>` and `==`. The last two shapes ask what a counter has grown
by since an earlier scrape. How long a condition has to last (`for`) is left to promtool.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from operator import eq, gt, lt
from typing import NamedTuple

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.servers import patient

NAME = r"(?P<name>[a-z_]+)(?:\{(?P<labels>[^}]*)\})?"
COMPARED = r" (?P<by><|>|==) (?P<to>[0-9]+(?:\.[0-9]+)?)"
SUM = r"sum by \(instance\) "
SHAPES = {
    "value": re.compile(NAME + COMPARED),
    "age": re.compile(r"time\(\) - " + NAME + COMPARED),
    "left": re.compile(NAME + r" - time\(\)" + COMPARED),
    "absent": re.compile(r"absent\((?P<name>[a-z_]+)(?P<labels>)\)"),
    "growth": re.compile(rf"increase\({NAME}\[30m\]\){COMPARED}"),
    "share": re.compile(rf"{SUM}\(rate\({NAME}\[5m\]\)\) / {SUM}\(rate\((?P=name)\[5m\]\)\){COMPARED}"),
}
OVER_TIME = ("growth", "share")
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


def fires(text: str, samples: Iterable[Sample], now: float, before: Iterable[Sample] = ()) -> list[dict[str, str]]:
    """The labels of each series for which the condition holds; `before` is the earlier scrape."""
    one = parse(text)
    named = [each for each in samples if each.name == one.name]
    if one.shape in OVER_TIME:
        named = grown(named, before)
    found = [each for each in named if _has(each, one.labels)]
    if one.shape == "absent":
        return [] if found else [{}]
    if one.shape == "share":
        found = _shares(_by_instance(found), _by_instance(named))
    worth = {"age": lambda value: now - value, "left": lambda value: value - now}.get(one.shape, lambda value: value)
    return [dict(each.labels) for each in found if BY[one.by](worth(each.value), one.to)]


def grown(samples: Iterable[Sample], before: Iterable[Sample]) -> list[Sample]:
    """By how much each series has grown; a new one counts from zero."""
    old = {(one.name, *sorted(one.labels.items())): one.value for one in before}
    return [one._replace(value=one.value - old.get((one.name, *sorted(one.labels.items())), 0)) for one in samples]


def _by_instance(samples: Iterable[Sample]) -> Counter[str]:
    sums = Counter[str]()
    for one in samples:
        sums[one.labels.get("instance", "")] += one.value  # type: ignore[assignment]  # of floats
    return sums


def _shares(parts: Counter[str], whole: Counter[str]) -> list[Sample]:
    labels = {name: {"instance": name} if name else {} for name in parts}
    return [Sample("", labels[name], part / whole[name]) for name, part in parts.items() if whole[name]]


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
