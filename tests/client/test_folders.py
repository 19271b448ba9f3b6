"""Files at rest: what this machine keeps for a person is readable by that person alone."""

import os
import stat

from client.home import Account, Home
from client.memory import Memory


def test_every_file_and_folder_is_its_owners_alone(tmp_path):
    """Also the folders above, which are made with them, and whatever mask the shell has."""
    before = os.umask(0o022)
    try:
        host = Home(tmp_path / "a" / "home").remember(Account("https://games.example", "token", "1", "Ada"))
        assert host.key.kid
        Memory(host.folder / "games" / "one").nonce()
    finally:
        os.umask(before)
    kept = list((tmp_path / "a").rglob("*"))
    assert {stat.S_IMODE(one.stat().st_mode) for one in kept if one.is_file()} == {0o600}
    assert {stat.S_IMODE(one.stat().st_mode) for one in [tmp_path / "a", *kept] if one.is_dir()} == {0o700}
