"""The errors of this package, under one root. Those of signing are here, the others where they are raised.

ClientError
├── DistrustError          the server's data does not hold; kept with its evidence, and nothing more is signed
├── NotSignedError         nothing was signed, for a reason that is nobody's fault
│   ├── UnsettledError         another act for this place was signed before, and may still be logged
│   ├── NotYetError            the log is dated ahead of this machine's clock
│   ├── SeatGoneError          another player holds the seat, or this key was dropped
│   ├── HeldUpError            the server lacks entries; the game waits until they are submitted
│   └── NotAgreedError         the table allows moves without a signature, and the user has not agreed to that
├── ApiError               http: the server refused the request, with a stable code
├── NoAnswerError          http: the fate of the request is unknown
│   └── FullError              the server has no room for a request that it would have to hold
├── KeyFileError           keys: a file has no key, or others can read it
├── KeyBackupError         key_backup: no key backup, or another account's
│   └── WrongCodeError         key_backup: the code belongs to another backup
├── DeviceSignInError      device: the server gives this device no token
├── NotSignedInError       home: no account is signed in at this server
├── UnreadableError        input_files: a file is not of the kind that is needed
├── MailMissingError       caught_mails: a mail did not come in time
├── CommandError           commands.base: a command refuses by its own check
├── WatchError             commands.watch: a game cannot be followed or judged here
├── NoReplyError           players.runner: the process of a policy did not answer, and was ended
├── NoPolicyError          players.runner: no policy has answered
├── NotPlayedError         players.decider: the server refuses each move that it lists as legal
├── LaterError             players.decider: the decider has no time to think now; the answer can wait
├── FolderError            players.service: the folder of the accounts cannot be used
├── NobodyError            players.service: no account can take over a seat
└── BusyError              players.service: another process plays for the accounts of this folder

An invalid act, entry or notation raises an error of `engine.errors`: `Refused`, `BadRecord` and their subclasses.
"""

from __future__ import annotations

from collections.abc import Sequence


class ClientError(Exception):
    """The root of every error that this package raises by itself."""


class DistrustError(ClientError):
    """The server's data must not be signed on. `code` is stable; the text gives the finding."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(f"{code}: {says}")
        self.code = code
        self.says = says


class NotSignedError(ClientError):
    """Nothing was signed. `code` is stable; the text gives the reason."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(f"{code}: {says}")
        self.code = code
        self.says = says


class UnsettledError(NotSignedError):
    """An act for this place was signed before, and either may be logged. `acts` gives the fate of each.

    A person who knows this may sign anyway with `either=True`. An act without any answer is never replaced.
    """

    def __init__(self, seq: int, acts: Sequence[str], *, answered: bool) -> None:
        ask = "sign with either=True to take that risk" if answered else "it is sent again until it is answered"
        was = "; ".join(acts)
        says = f"for entry {seq} this was signed before: {was}. It may still be logged, instead of what you sign now"
        super().__init__("unsettled", f"{says}: {ask}")
        self.acts = tuple(acts)
        self.answered = answered


class NotYetError(NotSignedError):
    """The last entry is dated this many `seconds` ahead of our clock; a signature on it would vouch for a future
    time.
    """

    def __init__(self, seq: int, at: str, seconds: float) -> None:
        says = f"entry {seq} is dated {at}, {seconds:.0f} s ahead of this machine's clock: wait, or set the clock"
        super().__init__("not-yet", says)
        self.seconds = seconds


class SeatGoneError(NotSignedError):
    """The key no longer plays this seat, since entry `seq`; `code` is `seat-taken-over` or `dropped-key`."""

    def __init__(self, code: str, seat: int, seq: int, says: str) -> None:
        super().__init__(code, says)
        self.seat = seat
        self.seq = seq


class HeldUpError(NotSignedError):
    """The server lacks entries that it has signed for; nothing is logged until someone submits them."""

    def __init__(self, says: str) -> None:
        super().__init__("lines-missing", says)


class NotAgreedError(NotSignedError):
    """Moves without a signature are possible at this table, attested by the server alone."""

    def __init__(self) -> None:
        says = "this table allows moves without a signature: join with unsigned=True if you agree to that"
        super().__init__("unsigned-table", says)
