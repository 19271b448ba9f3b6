"""The blocks of docs/write-a-client.md are run, in the shell and in Python, against a real server."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.record.log.entry import read_entry
from tests.e2e.instance import ROOT, Instance
from tests.kit.patience import PATIENCE

PAGE = (ROOT / "docs" / "write-a-client.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (\d)\..*?\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
INTRODUCTION = PAGE.partition("## 1.")[0]


def blocks(text, kind):
    return "\n".join(re.findall(rf"^```{kind}\n(.*?)^```", text, re.DOTALL | re.MULTILINE))


class Shell:
    """One shell for all blocks, which stops at the first failing command."""

    def __init__(self, folder, environment):
        self.process = subprocess.Popen(
            ["sh", "-eu"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, block):
        self.process.stdin.write(f"{block}\necho; echo end of block\n")
        self.process.stdin.flush()
        said = []
        for line in self.process.stdout:
            if line == "end of block\n":
                return "".join(said)
            said.append(line)
        raise AssertionError("".join(said))

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(PATIENCE)


@pytest.fixture
def house(tmp_path):
    instance = Instance(tmp_path / "var").start()
    yield instance
    instance.stop()


@pytest.fixture
def shell(house, tmp_path, monkeypatch):
    monkeypatch.setenv("SITE", house.url)
    monkeypatch.setenv("MAIL", house.mail_url)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    opened = Shell(tmp_path, dict(os.environ))
    yield opened
    opened.close()


@pytest.fixture
def pia():
    """The namespace of the page's Python."""
    names = {}
    yield names
    names["api"].close()


@pytest.mark.slow
def test_the_page_works(shell, pia):
    """Shelly and Pia sign in, register keys, join, move, check the log and save the bundle."""

    def both(section):
        said = shell.run(blocks(SECTIONS[section], "sh"))
        exec(blocks(SECTIONS[section], "python"), pia)  # the page's own code
        return said

    shell.run(blocks(INTRODUCTION, "sh"))
    for section in "123":
        both(section)
    both("4")
    both("5")
    kinds = [read_entry(line.encode()).kind for line in pia["log"]]
    assert kinds[:4] == ["created", "joined", "joined", "started"]
    assert "moved" in kinds
    assert "open: a running game" in both("6")
    both("7")
    log = pia["call"]("GET", f"/v1/games/{pia['game']}/log?after=-1")["entries"]
    assert [read_entry(line.encode()).kind for line in log][-3:] == ["offered", "offered", "keyed"]
    heard = both("9")
    assert '"kind":"started"' in heard
    assert pia["event"]["kind"] == "turn"
