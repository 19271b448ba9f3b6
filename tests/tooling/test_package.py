"""The wheel has all files that the programs read, and its licence."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from engine import registry
from tests.e2e.instance import Instance
from tests.servers import patient

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGES = ("engine", "server", "workers", "client", "conformance")
BUNDLE = ROOT / "conformance/vectors/bundles/good/livingstone-finished.txt"


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def of_packages():
    return {name for name in tracked() if name.split("/")[0] in (*PACKAGES, "sealedmove.py")}


def copy(folder):
    """The tracked files."""
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)


def run(*words, cwd):
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from what is tracked alone: a folder `build/` of an older build would come along otherwise."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    copy(source)
    build = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w"]
    run(sys.executable, "-m", "pip", *build, out, source, cwd=source)
    return next(out.glob("*.whl"))


def test_the_wheel_holds_every_file_of_the_packages_and_no_other(wheel):
    """Pages, scripts, templates, migrations, guides and components; not tests and documents."""
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert inside == of_packages()
    assert {"server/http/static/style.css", "engine/games/tikal/guide.md", "conformance/vectors/jws.json"} <= inside


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    copy(folder / "source")
    build = "import setuptools.build_meta as backend; backend.build_sdist('../dist')"
    run(sys.executable, "-c", build, cwd=folder / "source")
    return next((folder / "dist").glob("*.tar.gz"))


def test_the_source_distribution_holds_every_tracked_file(sdist):
    """Documents, tests and requirements too, so that whoever has it can check and build everything."""
    with tarfile.open(sdist) as archive:
        inside = {one.name.partition("/")[2] for one in archive if one.isfile()}
    made = {"PKG-INFO", "setup.cfg", *(name for name in inside if ".egg-info/" in name)}
    assert inside - made == set(tracked())


@pytest.mark.slow
def test_a_server_can_be_installed_from_the_source_distribution(sdist, tmp_path):
    """It has the files of the wheel, and its command runs; only the libraries are those of this environment."""
    run(sys.executable, "-m", "venv", "--without-pip", "venv", cwd=tmp_path)
    site = next(tmp_path.glob("venv/lib/python3*/site-packages"))
    (site / "libraries.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")
    install = ["install", "--no-deps", "--no-build-isolation", "--no-index", "--no-compile", "--ignore-installed"]
    run(sys.executable, "-m", "pip", "--python", tmp_path / "venv/bin/python", *install, sdist, cwd=tmp_path)
    inside = {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}
    assert {name for name in inside if name.split("/")[0] in (*PACKAGES, "sealedmove.py")} == of_packages()
    assert run(tmp_path / "venv/bin/sealedmove", "audit", BUNDLE, cwd=tmp_path).startswith("holds")


def test_the_wheel_carries_its_licence_and_the_notice(wheel):
    """PEP 639: an expression, and both files under `licenses/`."""
    archive = zipfile.ZipFile(wheel)
    folder = f"sealedmove-{PROJECT['version']}.dist-info"
    metadata = message_from_bytes(archive.read(f"{folder}/METADATA"))
    assert (metadata["License-Expression"], metadata.get_all("License-File")) == ("MIT", ["LICENSE", "NOTICE"])
    for name in ("LICENSE", "NOTICE"):
        assert archive.read(f"{folder}/licenses/{name}") == (ROOT / name).read_bytes()


def test_an_unpacked_wheel_audits_a_game_without_the_checkout(wheel, tmp_path):
    """`sealedmove audit` of the wheel's own files says that a good bundle holds."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "import engine; print(engine.__file__); from sealedmove import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "audit", BUNDLE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    where, *said = done.stdout.splitlines()
    assert (done.returncode, Path(where)) == (0, tmp_path / "engine/__init__.py"), done.stderr
    assert said[0].startswith("holds")


def installed(folder):
    """A fresh environment in `folder`, by the commands of docs/operate.md; the checkout is deleted afterwards."""
    copy(folder)
    document = (ROOT / "docs/operate.md").read_text("utf-8").split("## A real deployment")[1]
    for step in re.search(r"```sh\n(.*?)```", document, re.DOTALL)[1].splitlines():
        words = [sys.executable if word == "python3" else word for word in step.split()]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True) if words else None
        assert done is None or done.returncode == 0, f"{step}\n{done.stderr}"
    for path in folder.iterdir():
        if path.name != "venv":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return folder / "venv"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_steps_of_the_document_install_a_server_that_runs_without_the_checkout(tmp_path):
    """Without the tools of development it says which one it misses; with them all processes run."""
    venv = installed(tmp_path / "checkout")
    program, cwd = venv / "bin/sealedmove", tmp_path / "elsewhere"
    cwd.mkdir()
    refused = subprocess.run([program, "run"], cwd=cwd, capture_output=True, text=True)
    assert (refused.returncode, refused.stderr) == (1, "Error: this needs psutil: install sealedmove[dev]\n")
    site = next(venv.glob("lib/python3*/site-packages"))
    (site / "development.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")
    house = Instance(cwd / "var", PLAYERS_EACH="1")
    house.start(program, cwd)
    try:
        assert [patient.get(f"{house.url}{path}").status_code for path in ("/readyz", "/", "/v1/docs")] == [200] * 3
        assert all(Path(one.cwd()).is_relative_to(cwd) for one in house.family())
    finally:
        assert house.stop() == 0


@pytest.mark.parametrize("key", sorted(path.parent.name for path in (ROOT / "engine/games").glob("*/meta.py")))
def test_the_notice_names_every_game_with_its_designers(key):
    """A new game of a publisher needs its names in NOTICE."""
    meta = registry.find(key).meta
    named = f"\n  {meta.title}\n    {' and '.join(meta.designers)}, {meta.year}\n"
    assert named in (ROOT / "NOTICE").read_text("utf-8")


def test_the_notice_names_every_vendored_library():
    """With the folder that has its licence."""
    vendored = {Path(name).parent for name in tracked() if "/vendor/" in name}
    folders = {folder.as_posix() for folder in vendored if folder.name != "vendor"}
    assert folders == {"server/http/static/record/vendor/noble-ed25519"}
    assert all((ROOT / folder / "LICENSE").is_file() for folder in folders)
    assert not [folder for folder in folders if folder not in (ROOT / "NOTICE").read_text("utf-8")]


def test_the_changelog_has_the_version_of_the_package():
    """The version of pyproject.toml has its own section, or is the one in preparation."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert PROJECT["version"] in headings or f"These changes become {PROJECT['version']}." in text
