"""The chain of keys: every key is a hash of the next one, however the chain is kept in memory."""

import pytest

from engine.chance import STRETCH, chain_key, link_back
from engine.errors import EngineFault

SECRET = b"\7" * 32


@pytest.mark.parametrize("total", [0, 1, STRETCH - 2, STRETCH - 1, STRETCH, STRETCH + 1, 2 * STRETCH - 1, 3 * STRETCH])
def test_each_key_is_a_hash_of_the_next(total: int) -> None:
    keys = [chain_key(SECRET, total, d) for d in range(total + 1)]
    assert [link_back(keys[-1], total, d) for d in range(total + 1)] == keys
    assert len(set(keys)) == total + 1


def test_no_key_lies_beyond_the_chain() -> None:
    for d in (-1, STRETCH + 1):
        with pytest.raises(EngineFault, match="draws-used-up"):
            chain_key(SECRET, STRETCH, d)
