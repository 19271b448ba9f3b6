"""The audit of a bundle: one file in, one report out; no server, no network, no clock.

    run           reads the bundle and makes the report
    walk          one pass over the log, entry by entry, with `judge.entries.examine`
    signatures    verified all together, behind the walk or beside it
    notes         the server's notes against the log, and the key that signed them
    holders       the holders of each seat, with the entries from which to which they held it
    limitations   what no audit can know about this game, listed every time
    consistency   two people's copies of one game: the same, a continuation, or a fork
    report        verdict, stage, checks; the same as JSON and as text

Only signed commands reach the engine from the file, and those that the server attests if the game allows it.
"""

from engine.record.audit.report import CHECKS, Check, Compared, Holder, Recovery, Report
from engine.record.audit.run import MOST_BYTES, audit
from engine.record.audit.signatures import Signatures

__all__ = ["CHECKS", "MOST_BYTES", "Check", "Compared", "Holder", "Recovery", "Report", "Signatures", "audit"]
