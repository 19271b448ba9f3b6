"""The clients, generated once for all tests of this folder."""

import pytest

from tests.generated import clients, generators


@pytest.fixture(scope="session")
def generated():
    clients.generate()
    return clients


@pytest.fixture(scope="session")
def go_program(generated):
    """examples/play.go with the generated client, compiled; after the other clients, which empty the folder."""
    if not generators.are_installed():
        pytest.skip("`make generators` installs it")
    generators.generate("go")
    generators.compile_go()
    return generators.PLAY
