"""Migrations are one chain; two parallel ones would fork the database."""

from __future__ import annotations

import re
from pathlib import Path

VERSIONS = Path(__file__).parents[2] / "server/kernel/db/migrations/versions"
LINKS = re.compile(r'^revision = "(\w+)"\ndown_revision = (?:"(\w+)"|None)$', re.MULTILINE)


def test_each_migration_follows_the_one_before():
    """By number, with which its file name begins."""
    files = sorted(VERSIONS.glob("*.py"))
    found = [LINKS.search(file.read_text("utf-8")) for file in files]
    chain = [(link[1], link[2]) for link in found if link]
    numbers = [file.name.partition("_")[0] for file in files]
    assert chain == list(zip(numbers, [None, *numbers[:-1]], strict=True))
