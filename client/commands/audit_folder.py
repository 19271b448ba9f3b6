"""`sealedmove audit FOLDER`: audit every file of a folder. This part keeps the progress, heeds Ctrl-C, and prints."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import click
import msgspec

from client import archive, archive_progress
from client.archive import GRAVITY, FileResult, Known
from client.archive_progress import Progress, ProgressHeader
from client.pins import KnownServer
from engine.kit import count
from engine.record.audit.report import COMPARED

STOPPED = 130
WORDS = {"fails": "fail", "unknown": "unknown", "open": "open", "holds": "hold"}


class Run:
    """One audit of a folder: what it has found so far, and how quickly."""

    def __init__(self, folder: Path, server: KnownServer) -> None:
        self.folder = folder
        self.header = archive_progress.header(server)
        self.files, self.rows = archive.files_in(folder)
        self.total = len(self.files) + len(self.rows)
        self.kept = 0
        self.is_stopped = False
        self._began = time.monotonic()
        self._server = server

    def judge(self, progress: Progress | None, limit: float) -> Iterator[FileResult]:
        """The rows as they come, each added to the progress."""
        known = Known(self._server, progress.rows if progress else {})
        judge = partial(archive.judge, self.folder, known)
        for row in archive.judge_all(self.files, judge, limit, lambda: self.is_stopped):
            self.rows.append(row)
            self.kept += row.sha256 in known.rows
            if progress:
                progress.add(row)
            yield row

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def rate(self) -> float:
        """Files judged a second, without those that an earlier run has judged."""
        return (len(self.rows) - self.kept) / max(self.seconds, 1e-3)

    @property
    def exit(self) -> int:
        return STOPPED if self.is_stopped else archive.exit_of(self.rows)

    def stop(self, _signal: int, _frame: FrameType | None) -> None:
        self.is_stopped = True

    def sorted(self) -> list[FileResult]:
        """The gravest first."""
        return sorted(self.rows, key=lambda row: (GRAVITY.index(row.verdict), row.file))


def run(work: Run, limit: float, state: Path | None, *, as_json: bool) -> int:
    """Audit a folder, print the summary, and return the exit status."""
    progress = _progress(work.folder, state, work.header)
    try:
        with _stopping(work):
            _follow(work, progress, limit, hidden=as_json)
    finally:
        if progress:
            progress.close(is_done=len(work.rows) == work.total)
    work.is_stopped = len(work.rows) < work.total
    click.echo(json.dumps(_plain(work), indent=2) if as_json else "\n".join(_text(work)))
    if work.is_stopped:
        where = f"progress is in {progress.path}; delete that file to begin anew" if progress else "progress is lost"
        click.echo(f"Stopped. Run the same command to continue: {where}.", err=True)
    return work.exit


def _progress(folder: Path, state: Path | None, header: ProgressHeader) -> Progress | None:
    """The file of progress; None, with a warning, if there can be none."""
    try:
        return Progress(state or archive_progress.path_of(folder), header)
    except (OSError, RuntimeError) as error:
        click.echo(f"Warning: progress is not kept, so a stopped audit would begin anew: {error}", err=True)
        return None


@contextmanager
def _stopping(work: Run) -> Iterator[None]:
    """A signal ends the work between two rows, so that none is lost."""
    before = [signal.signal(number, work.stop) for number in archive.STOPS]
    try:
        yield
    finally:
        for number, handler in zip(archive.STOPS, before, strict=True):
            signal.signal(number, handler)


def _follow(work: Run, progress: Progress | None, limit: float, *, hidden: bool) -> None:
    with click.progressbar(
        work.judge(progress, limit),
        length=work.total,
        label="Auditing",
        file=sys.stderr,
        hidden=hidden or not sys.stderr.isatty(),
        show_pos=True,
        item_show_func=lambda _: f"{work.rate:.0f}/s",
    ) as bar:
        bar.update(len(work.rows))
        for _ in bar:
            pass


# --- the summary ------------------------------------------------------------------------------------------------------


def _plain(work: Run) -> dict[str, Any]:
    return {
        "folder": str(work.folder),
        "auditor": work.header.auditor,
        "verdict": None if work.is_stopped else archive.verdict_of(work.rows),
        "stopped": work.is_stopped,
        "files": work.total,
        "judged": len(work.rows) - work.kept,
        "judged_before": work.kept,
        "counts": dict.fromkeys(GRAVITY, 0) | Counter(row.verdict for row in work.rows),
        "seconds": round(work.seconds, 3),
        "per_second": round(work.rate, 1),
        "rows": [msgspec.to_builtins(row) for row in work.sorted()],
    }


def _text(work: Run) -> Iterator[str]:
    """A line for each file that does not hold, then the counts and the pace."""
    found = Counter(row.verdict for row in work.rows)
    for row in work.sorted():
        if row.verdict != "holds":
            yield f"{row.verdict:<8} {_printable(row.file)}: {row.why}"
    if len(work.rows) > found["holds"]:
        yield ""
    counts = ", ".join(f"{found[verdict]:,} {WORDS[verdict]}" for verdict in reversed(GRAVITY) if found[verdict])
    yield f"{count(work.total, 'file')}: {counts or 'none judged'}."
    yield from _compared(work.rows)
    yield (
        f"{len(work.rows) - work.kept:,} judged in {work.seconds:.1f} s on {count(archive.cores(), 'core')}, "
        f"{work.rate:.1f} a second; {work.kept:,} judged before."
    )


def _compared(rows: Sequence[FileResult]) -> Iterator[str]:
    """A line for each way in which server keys were compared, with the number of files."""
    found = Counter(row.server_key.compared for row in rows if row.server_key)
    for compared, words in COMPARED.items():
        if found[compared]:
            yield f"Under {words}: {count(found[compared], 'file')}."


def _printable(name: str) -> str:
    """The name in ASCII unless all of it can be printed: a file's name may hold anything."""
    return name if name.isprintable() else ascii(name)
