"""The modules of packages, imported: what is declared in them is found there, not in their text."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

# Files that a tool runs by itself: gunicorn reads the first as settings, Alembic gives the second a connection.
RUN_BY_TOOLS = ("server.operate.gunicorn", "server.kernel.db.migrations")


def modules(*packages: ModuleType) -> Iterator[ModuleType]:
    for package in packages:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith(RUN_BY_TOOLS):
                yield importlib.import_module(module.name)
