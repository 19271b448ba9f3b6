"""Names and labels of metrics, and their table in docs/operate.md."""

import re

import pytest

from tests.docs.metrics import PAGE, TABLE, Described, described, table

LABELS = {  # with bounded values: words of the code, routes, installed games
    *("route", "method", "status", "kind", "type", "version", "schema", "state", "why", "verdict", "loop", "what"),
    *("via", "how", "result", "by", "pool", "folder"),
}


def test_the_table_of_metrics_is_that_of_the_code():
    """`python -m tests.docs.metrics --write` writes it anew."""
    [found] = TABLE.findall(PAGE.read_text("utf-8"))
    assert found == table()


@pytest.mark.parametrize("one", described(), ids=lambda one: one.name)
def test_names_and_labels_follow_the_conventions_of_prometheus(one: Described):
    """Small letters, a prefix, base units; no label has a value for each game, account or address."""
    assert re.fullmatch("sealedmove(_[a-z]+)+", one.name)
    assert not re.search("_(ms|milliseconds|minutes|hours|percent|count)$", one.name)
    assert ("_age" in one.name or "_lag" in one.name or "_timestamp" in one.name) <= one.name.endswith("_seconds")
    assert set(one.labels) <= LABELS
