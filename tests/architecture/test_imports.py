"""Imports of each folder, where import-linter's contracts are not fine enough."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {"os", "time", "datetime", "random", "secrets", "socket", "logging", "subprocess", "threading", "uuid"}
PACKAGES = ("engine", "server", "workers", "client", "conformance")
GAME_MAY = ("engine.game", "engine.errors", "engine.kit")


def imported(path):
    """Every module that the file imports, at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def engine_files():
    return sorted((ROOT / "engine").rglob("*.py"))


@pytest.mark.parametrize("path", engine_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_engine_is_pure(path):
    """Engine code gets time, chance and bytes: it imports msgspec (in the record PyNaCl too) and pure modules."""
    in_record = path.is_relative_to(ROOT / "engine" / "record")
    allowed = {"engine", "msgspec"} | ({"nacl"} if in_record else set()) | set(sys.stdlib_module_names) - FORBIDDEN
    assert not [name for name in imported(path) if name.partition(".")[0] not in allowed]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "engine" / "games").glob("*/**/*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_games_stand_alone(path):
    """A game imports the contract, the errors, the kit and its own folder, and no other game.

    Its players may also import the players' kit; its rules import neither that nor its players.
    """
    within = path.relative_to(ROOT / "engine" / "games").parts
    own = ".".join(("engine.games", within[0]))
    is_player = within[1] == "players"
    may = (own, *GAME_MAY, *(("engine.players",) if is_player else ()))
    ours = [name for name in imported(path) if name.partition(".")[0] == "engine"]
    assert not [name for name in ours if not any(f"{name}.".startswith(f"{one}.") for one in may)]
    assert is_player or not [name for name in ours if f"{name}.".startswith(f"{own}.players.")]


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "server").rglob("read.py")) + sorted((ROOT / "server").rglob("schemas.py")),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_what_a_room_reads_knows_nothing_of_what_it_writes(path):
    """Within a room `write` and `api` import `read` and `schemas`, never the other way."""
    room = ".".join(path.parent.relative_to(ROOT).parts)
    above = [f"{room}.{name}" for name in ("write", "api", "page")]
    assert not [name for name in imported(path) if any(f"{name}.".startswith(f"{one}.") for one in above)]


@pytest.mark.parametrize("folder", PACKAGES)
def test_no_import_is_for_types_alone(folder):
    """A cycle that only a type checker sees is a cycle: no file hides an import behind `TYPE_CHECKING`."""
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    assert not [path for path in files if "TYPE_CHECKING" in path.read_text("utf-8")]


def modules():
    """Every file of the packages by the name under which it is imported."""
    files = [path for folder in PACKAGES for path in (ROOT / folder).rglob("*.py")]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def test_files_import_each_other_in_no_circle():
    """Not even inside functions. Rooms inside a room of the server may form one (docs/adr/server-rooms.md)."""
    known = modules()

    def file_of(name):
        return name if name in known else name.rpartition(".")[0]

    graph = {name: {file_of(one) for one in imported(path)} - {name} for name, path in known.items()}
    TopologicalSorter(graph).prepare()  # its CycleError names the files


def test_server_names_workers_by_string():
    """No file of server imports workers."""
    names = [name for path in (ROOT / "server").rglob("*.py") for name in imported(path)]
    assert not [name for name in names if name.partition(".")[0] == "workers"]
