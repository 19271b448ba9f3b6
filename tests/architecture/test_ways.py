"""The files that each way through the project enters: within its limit, and as docs/ways/ draws them."""

import re

import pytest

from tests.architecture.ways import BEFORE, DRAWN, MOST, ROOT, WAYS, walk

pytestmark = pytest.mark.slow
ADR = ROOT / "docs" / "adr" / "server-rooms.md"


@pytest.mark.allow_hosts(["127.0.0.1", "::1"])  # the mail servers of the ways
@pytest.mark.parametrize("name", WAYS)
def test_a_way_enters_no_more_files_than_its_limit(name, capsys):
    """The figures are printed. `python -m tests.architecture.ways --write` draws the pictures again."""
    way = walk(name)
    with capsys.disabled():
        print(f"\n{name}: enters {len(way.files)} files, changes file {way.changes} times; before: {BEFORE[name]}")  # noqa: T201
    assert len(way.files) <= MOST[name]
    drawn = re.findall(r"<circle[^>]*/><text[^>]*>([^<]+)<", (DRAWN / f"{name}.svg").read_text("utf-8"))
    assert sorted(drawn) == sorted(way.files)  # parallel parts are entered in either order


def test_the_adr_has_the_limits_of_today():
    """Beside the figures of before."""
    row = r"^\| [^|]+ \| (\d+) \| \d+ \| (\d+) \| (\d+) \| \d+ \|$"
    table = [tuple(map(int, found)) for found in re.findall(row, ADR.read_text("utf-8"), re.MULTILINE)]
    assert table == [(BEFORE[name][0], MOST[name], BEFORE[name][1]) for name in WAYS]


def test_a_room_is_found_by_its_folder():
    """At the top of the server are only its rooms and its law."""
    here = ROOT / "server"
    rooms = sorted(path.parent.name for path in here.glob("*/__init__.py"))  # a moved room may leave its cache behind
    found = sorted([*rooms, *(path.name for path in here.iterdir() if path.is_file())])
    assert found == sorted(["README.md", "__init__.py", *rooms])
    assert len(found) <= 12
