"""Commits that are not on main yet have subjects of the form that CONTRIBUTING.md gives."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 72


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout


def new_subjects():
    """Those beyond main; of the last commit alone in a clone that knows no main of another."""
    is_known = git("rev-parse", "--verify", "--quiet", "origin/main")
    return git("log", "--no-merges", "--format=%s", *(["origin/main..HEAD"] if is_known else ["-1"])).splitlines()


def test_subjects_of_new_commits_are_short_and_name_their_area():
    """At most 72 characters, which tools show whole."""
    assert not [one for one in new_subjects() if len(one) > LONGEST or not re.match(r"[^:]+: \S", one)]
