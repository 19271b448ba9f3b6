"""The lines of docs/engine-alone.md are run: each has the printed answer, and needs the engine only."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).parents[2]
PAGE = HOUSE / "docs" / "engine-alone.md"
RUN = """
import doctest, pathlib, sys
text = pathlib.Path(sys.argv[1]).read_text("utf-8").replace("```", "")
test = doctest.DocTestParser().get_doctest(text, {}, "engine-alone.md", sys.argv[1], 0)
found = doctest.DocTestRunner().run(test)
others = {name.partition(".")[0] for name in sys.modules} & {"server", "workers", "client", "flask", "nacl", "numpy"}
print(found.attempted, found.failed, sorted(others))
"""


def test_every_line_of_the_page_has_its_answer() -> None:
    """In a process that loads nothing of the project but the engine."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(PAGE)], cwd=HOUSE, capture_output=True, text=True, check=False
    )
    lines = len(doctest.DocTestParser().get_examples(PAGE.read_text("utf-8")))
    assert done.stdout.splitlines()[-1:] == [f"{lines} 0 []"], done.stdout + done.stderr
    assert lines > 30
