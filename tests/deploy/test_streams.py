"""A stream through the proxies with the sites of deploy/: a real run."""

import json
import ssl
from contextlib import contextmanager

import httpx
import pytest

from tests.deploy.nginx import NAME, Site
from tests.deploy.test_caddy import CaddySite
from tests.kit.patience import PATIENCE
from tests.workers.streams.conftest import site
from tests.workers.streams.told import shape

__all__ = ["site"]

pytestmark = pytest.mark.long


@contextmanager
def events(proxy, player):
    """The events of an account, as they come through the proxy."""
    trusting = ssl.create_default_context(cafile=str(proxy.certificate))
    with (
        httpx.Client(base_url=f"https://127.0.0.1:{proxy.port}", verify=trusting, timeout=PATIENCE) as http,
        http.stream(
            "GET", "/v1/me/events", headers={"Host": NAME, **player.auth}, extensions={"sni_hostname": NAME}
        ) as answer,
    ):
        assert answer.status_code == 200
        lines = answer.iter_lines()
        assert next(line for line in lines if line.startswith("id:")) == "id: 0"  # the stream has begun
        yield (json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:"))


@pytest.mark.parametrize("kind", [Site, CaddySite])
def test_events_come_while_the_stream_is_open(site, kind, tmp_path):
    """A proxy that gathered them first would hold them back."""
    site.restart("web", PROXIES="1", PUBLIC_URL=f"https://{NAME}")
    proxy, people = kind(tmp_path, site.port), site.people(2)
    with proxy.running(), events(proxy, people[0]) as told:
        for _ in range(2):
            site.hall.game("bids", people)
            assert [form for _, form, _ in shape([next(told) for _ in range(4)])] == ["news", "news", "started", "turn"]
