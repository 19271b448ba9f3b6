"""Fixtures for all tests: real servers, started when the first test wants them, empty for each test.

Sockets reach the loopback address only (pyproject.toml), and tests of `engine` none at all.
"""

import gc
import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import pytest_socket
import redis
from hypothesis import HealthCheck, settings

from tests.browser import program
from tests.kit import installed
from tests.kit.left import (  # noqa: F401
    _file_leaves_nothing_open,
    _logging_is_as_before,
    _mask_is_as_before,
    _test_leaves_nothing_open,
)
from tests.servers import postgres, smtp
from tests.servers import redis as redis_server

pytest_plugins = ("tests.kit.seeds", *(f"tests.running.{name}" for name in ("ending", "left_out", "order", "times")))
PURE = ("engine", "games", "kit", "record", "architecture")
HERE = Path(__file__).parent

installed.here()
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    says = "how many structured mutations of bundles are judged (tests/audit/test_mutations.py)"
    told = "how many requests of each kind an operation of the API gets (tests/server/test_contract.py)"
    parser.addoption("--contract", type=int, default=5, help=told)
    parser.addoption("--mutations", type=int, default=500, help=says)
    lasting = "for how many seconds troubles follow each other (tests/chaos)"
    parser.addoption("--chaos", type=float, default=60.0, help=lasting)
    many = "simulate a year of two servers with up to 100 tables each, not of one with few tables (tests/year)"
    parser.addoption("--year", action="store_true", help=many)
    parser.addoption(
        "--pictures", help="a folder for pictures of each page and mail (tests/browser/test_pages_and_mails.py)"
    )
    answered = "how many mails are answered while processes are killed (tests/workers/replies/test_killed.py)"
    parser.addoption("--replies", type=int, default=8, help=answered)


def pytest_configure(config: pytest.Config) -> None:
    """A shell's background jobs ignore Ctrl-C, and all our children would too; restore it. Many processes are started,
    so later ones reuse the code that the first has compiled.
    """
    if says := program.flaw():
        raise pytest.UsageError(says)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.setdefault("AIOSMTPD_CONTROLLER_TIMEOUT", "60")  # for a mail server to start; by default five seconds


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what asks for PostgreSQL, also through another fixture."""
    if "postgres_url" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.postgresql)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Freeze the collected items, so that the garbage collector need not scan them again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report plainly that the pages were not tested in a browser, not only among the skipped."""
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "no browser: " in str(report.longrepr)]
    if skipped:
        says = f"LEFT OUT: {len(skipped)} tests of the pages: there is no Chromium here (apt-get install chromium)"
        terminalreporter.write_line(says, red=True)


@pytest.fixture(autouse=True)
def _pure_tests_have_no_network(request: pytest.FixtureRequest) -> None:
    if request.path.relative_to(HERE).parts[0] in PURE and request.node.get_closest_marker("allow_hosts") is None:
        pytest_socket.disable_socket(allow_unix_socket=True)


@pytest.fixture(scope="session")
def redis_server_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server.running(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture
def redis_url(redis_server_url: str) -> str:
    """The URL of a real, empty Redis-protocol server."""
    with redis.Redis.from_url(redis_server_url) as client:
        client.flushall()
    return redis_server_url


@pytest.fixture(scope="session")
def postgres_cluster_url() -> Iterator[str]:
    with postgres.running() as url, psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as admin:
        for role in (postgres.OWNER, postgres.RUNS):
            admin.execute(f"CREATE ROLE {role} LOGIN")
        yield url


@pytest.fixture
def postgres_url(postgres_cluster_url: str) -> Iterator[str]:
    """The SQLAlchemy URL of a new, empty PostgreSQL database."""
    name = f"test_{uuid.uuid4().hex}"
    plain = postgres_cluster_url.replace("+psycopg", "")
    with psycopg.connect(plain, autocommit=True) as admin:
        postgres.create(admin, name)
    yield postgres_cluster_url.rsplit("/", 1)[0] + f"/{name}"
    with psycopg.connect(plain, autocommit=True) as admin:
        admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def smtp_server() -> Iterator[smtp.Caught]:
    """A real SMTP server; `.messages` holds its mails, `.answer` is its answer."""
    with smtp.running() as caught:
        yield caught
