"""Committed files work anywhere: they name no package registry and no folder of one machine."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Written so that this file does not match itself.
ELSEWHERE = re.compile(
    r"pypi[.]org|python" r"hosted|registry[.]npm|deb[.]debian|files[.]pyth|--(extra-)?index[-]url|--find-links"
    r"|(?<![\w.])/(?!opt/sealedmove\b)(work|root|home|tmp|opt)/[\w.]"  # docs/operate.md installs there
)  # fmt: skip
SELF = Path(__file__).relative_to(ROOT)


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return sorted(name for name in listed.split("\0") if name and Path(name) != SELF)


def test_no_file_names_a_registry_or_a_folder_of_one_machine():
    """A lock file holds hashes, not addresses; a path starts at the project or at a variable."""
    hits = []
    for name in tracked():
        path = ROOT / name
        text = path.read_text("utf-8", errors="replace") if path.is_file() else ""
        hits += [f"{name}: {found[0]}" for found in ELSEWHERE.finditer(text)]
    assert not hits


@pytest.mark.parametrize("name", ["run", "dev", "bench", "peers", "generators"])
def test_every_pin_has_a_hash(name):
    """Nothing else can be installed."""
    pins = re.split(r"^(?=\w)", (ROOT / "requirements" / f"{name}.txt").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert len(pins) > 20
    assert not [pin.splitlines()[0] for pin in pins if "==" not in pin or "--hash=sha256:" not in pin]
