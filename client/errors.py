"""Why a client does not go on: it distrusts the server, or it may not sign now, which is nobody's fault.

DistrustError      what the server shows does not hold; kept on disk with its evidence, and nothing is signed any more
NotSignedError     nothing was signed, and nothing is held against anybody
├── UnsettledError     another act for this place was signed before, and may still be logged
├── NotYetError        the log is dated ahead of this machine's clock
├── SeatGoneError      the seat is in other hands, or this key was dropped
├── HeldUpError        the server lacks entries that somebody has; the game waits for them
└── NotAgreedError     the table allows moves without a signature, and the user has not said that he sits at such
"""

from __future__ import annotations

from collections.abc import Sequence


class DistrustError(Exception):
    """What the server shows must not be signed upon. `code` is stable; the text says what was found."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(f"{code}: {says}")
        self.code = code
        self.says = says


class NotSignedError(Exception):
    """Nothing was signed. `code` is stable; the text says why."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(f"{code}: {says}")
        self.code = code
        self.says = says


class UnsettledError(NotSignedError):
    """Acts for this very place were signed before, and either may be logged. `acts` says what became of each.

    A person who was told this may sign all the same: `either=True`. An act that nobody has answered is never replaced.
    """

    def __init__(self, seq: int, acts: Sequence[str], *, answered: bool) -> None:
        ask = "sign with either=True to take that risk" if answered else "it is sent again until it is answered"
        was = "; ".join(acts)
        says = f"for entry {seq} this was signed before: {was}. It may still be logged, instead of what you sign now"
        super().__init__("unsettled", f"{says}: {ask}")
        self.acts = tuple(acts)
        self.answered = answered


class NotYetError(NotSignedError):
    """The last entry is dated so many `seconds` ahead of our clock: signed upon now, it would testify for a future."""

    def __init__(self, seq: int, at: str, seconds: float) -> None:
        says = f"entry {seq} is dated {at}, {seconds:.0f} s ahead of this machine's clock: wait, or set the clock"
        super().__init__("not-yet", says)
        self.seconds = seconds


class SeatGoneError(NotSignedError):
    """The key plays this seat no more; `seq` is the entry since which, `code` is `seat-taken-over` or `dropped-key`."""

    def __init__(self, code: str, seat: int, seq: int, says: str) -> None:
        super().__init__(code, says)
        self.seat = seat
        self.seq = seq


class HeldUpError(NotSignedError):
    """The server lacks entries that it has signed for; nothing is logged until somebody hands them in."""

    def __init__(self, says: str) -> None:
        super().__init__("lines-missing", says)


class NotAgreedError(NotSignedError):
    """Moves without a signature are possible at this table, attested by the server alone."""

    def __init__(self) -> None:
        says = "this table takes moves that nobody signs: sit down with unsigned=True if you agree to that"
        super().__init__("unsigned-table", says)
