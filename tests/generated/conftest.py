"""The clients, generated once for all tests of this folder."""

import pytest

from tests.generated import clients


@pytest.fixture(scope="session")
def generated():
    clients.generate()
    return clients
