"""The shop of this process: opened by whoever starts it, or from the environment when the first job needs it."""

from __future__ import annotations

from workers.queues import Shop, open_shop

_open: list[Shop] = []


def use(shop: Shop) -> Shop:
    """From here on, jobs of this process work in this shop."""
    _open[:] = [shop]
    return shop


def current() -> Shop:
    return _open[0] if _open else use(open_shop())
