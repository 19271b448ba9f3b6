"""`sealedmove hooks` as a process that a test may kill, connected to the test's receiver: PORT CA [LEASE [REQUEST]]."""

from __future__ import annotations

import sys
from pathlib import Path

from server.kernel.logs import configure
from server.operate import startup
from tests.servers.receiver import wire
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.hooks.main import run
from workers.queues import open_context

LEASE, REQUEST = 3, 2


def main(port: str, ca: str, lease: str = str(LEASE), request: str = str(REQUEST)) -> None:
    ctx = open_context(startup.checked_settings())
    configure(ctx.services.settings.log_level)
    back_off = (1,) * 60
    policy = DeliveryPolicy(request=float(request), lease=int(lease), back_off=back_off)
    run(ctx, policy, wire(int(port), Path(ca)))


if __name__ == "__main__":
    main(*sys.argv[1:])
