"""Ranges in the metadata, pins in the locks, and a reason for each in docs/dependencies.md."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
PAGE = (ROOT / "docs/dependencies.md").read_text("utf-8")
LOCKS = {"run": [], "dev": ["dev"], "bench": ["bench"], "peers": ["peers"], "generators": ["generators"]}
REQUIREMENTS = [Requirement(text) for text in sum(EXTRAS.values(), PROJECT["dependencies"])]


def pins(lock):
    """The version of each package that a lock installs."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")
    return dict(re.findall(r"^([a-z0-9.-]+)(?:\[[a-z0-9,-]+\])?==([^ \\]+)", text, re.MULTILINE))


def ends(requirement):
    """The lower and the upper end of a range; None where it is open."""
    found = {part.operator: part.version for part in requirement.specifier}
    assert set(found) <= {">=", "<"}, f"{requirement} is not a range"
    return found.get(">="), found.get("<")


def usual(lower):
    """The upper end by the rule of docs/dependencies.md: the next major version, before 1.0 the next minor one."""
    version = Version(lower)
    return str(version.major + 1) if version.major else f"0.{version.minor + 1}"


def exceptions():
    """The packages with other version schemes in docs/dependencies.md: name to upper end, None for open."""
    table = PAGE.split("| package | upper end | reason |", maxsplit=1)[1].split("\n\n", maxsplit=1)[0]
    rows = re.findall(r"^\| ([a-z-]+) \| (?:`<([0-9.]+)`|none) \| .{20,} \|$", table, re.MULTILINE)
    return {name: end or None for name, end in rows}


def test_every_dependency_has_its_reason():
    """docs/dependencies.md lists the packages of pyproject.toml and package.json, no more and no less, each once."""
    wanted = {requirement.name for requirement in REQUIREMENTS}
    wanted |= set(json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"])
    reasons = PAGE.split("## A real deployment needs", maxsplit=1)[1]
    listed = [name for name in re.findall(r"^\| ([@a-z0-9/-]+) \|", reasons, re.MULTILINE) if name != "package"]
    assert sorted(listed) == sorted(wanted)


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=str)
def test_every_range_ends_by_the_rule_or_has_its_reason(requirement):
    """The metadata pins nothing; an upper end follows the rule, or the page names the package with its reason."""
    lower, upper = ends(requirement)
    assert lower is not None
    assert upper == exceptions().get(requirement.name, usual(lower))


def test_every_exception_is_for_a_required_package():
    assert set(exceptions()) <= {requirement.name for requirement in REQUIREMENTS}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_lock_satisfies_the_ranges(lock):
    """Each package of the metadata is pinned, in a version that its range allows."""
    pinned = pins(lock)
    wanted = [Requirement(text) for text in sum((EXTRAS[extra] for extra in LOCKS[lock]), PROJECT["dependencies"])]
    assert len(wanted) >= len(PROJECT["dependencies"])
    assert not [str(want) for want in wanted if not want.specifier.contains(pinned[want.name])]


def test_locks_agree_on_every_version():
    """`make run` and the tests install the versions of a deployment."""
    seen = {}
    for lock in LOCKS:
        for name, version in pins(lock).items():
            seen.setdefault(name, set()).add(version)
    assert len(seen) > 60
    assert not {name: versions for name, versions in seen.items() if len(versions) > 1}
