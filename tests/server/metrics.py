"""The metrics that are counted from the rows, as the web server serves them."""

import re

from prometheus_client import CollectorRegistry, generate_latest

from server.kernel.services import Services
from server.operate.row_metrics import Rows


def of_rows(services: Services) -> dict[str, float]:
    """Each by its name with its labels."""
    registry = CollectorRegistry()
    registry.register(Rows(services))
    found = re.findall(r"^(sealedmove_\S+) (\S+)$", generate_latest(registry).decode(), re.MULTILINE)
    return {name: float(value) for name, value in found}
