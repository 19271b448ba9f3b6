"""Sending signed acts, without ever signing twice for one place unnoticed.

An act fits one place of one log. Until that place is taken, every act signed for it may still be logged, by a server
that refused it or a proxy that kept it. So an act is on disk before it is sent, and stays there:

    no answer, 5xx, 429,      the log is read at the act's place: an entry there ends the matter, ours or another's;
    no problem document       else the very same bytes again
    refused                   the log is read; if the place is empty, our own rules judge the refusal:
      they refuse it too      settled: nobody can log it
      they allow it           `false-refusal`, in an open game: DistrustError
      they cannot tell        it stays unsettled, and another act for the place needs the person's consent
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from client import rules, times
from client.errors import DistrustError, HeldUpError, UnsettledError
from client.http import TRIES, Api, ApiError, HttpAnswer, NoAnswerError, pause_before
from client.log import as_lines
from client.memory import Memory, Pending
from client.public_log import PublicLog
from client.signing import ActPlace, Signed
from engine.record.laws import admission
from engine.record.log.entry import Entry
from engine.record.signed import acts, keys
from engine.record.signed.acts import Act

RACES = 8  # lost races for a head in a row before the player is told
MOST_UNSETTLED = 8
PATHS: Mapping[str, str] = {
    "join": "join", "leave": "leave", "move": "moves", "resign": "resign", "key": "keys", "offer": "offer",
    "take": "take",
}  # fmt: skip
SEATING = ("join", "take")  # whether an account may join is not visible in a log
# Refusals of a request, not of an act: a token that was revoked, a server that does not know the address yet.
NOT_OF_GAMES = frozenset({
    "bad-token", "missing-scope", "method-not-allowed", "not-acceptable", "not-found", "not-json", "not-signed-in",
    "too-large",
})  # fmt: skip

FindPlace = Callable[[], ActPlace]
Sign = Callable[[ActPlace], Signed]


class ActOutbox:
    """Sends one player's acts for one game, and keeps them until they are settled."""

    def __init__(
        self, api: Api, reader: PublicLog, memory: Memory, clock: Callable[[], float], tell: Callable[[str], None]
    ) -> None:
        self.api = api
        self.reader = reader
        self.log = reader.log
        self.memory = memory
        self._clock = clock
        self._tell = tell

    def perform(self, where: FindPlace, sign: Sign, *, either: bool = False) -> Entry:
        """Sign on the head, again if others were quicker and the act still means the same; returns its entry."""
        for _ in range(RACES):
            signed = sign(where())
            self._keep(signed, either=either)
            try:
                return self._bring(signed)
            except ApiError as no:
                if no.code != "stale-head" or not self._means_the_same(signed, no.problem):
                    raise
        raise ApiError(409, "stale-head", {"detail": f"other players were quicker {RACES} times in a row"})

    def send_again(self) -> None:
        """Read the log, then send unanswered acts again: the same bytes get the same answer."""
        if not self.memory.pending():
            return
        self.reader.fetch()
        for act in self._unsettled():
            if act.refused is None:
                self._send_again(act)

    def _send_again(self, act: Pending) -> None:
        try:
            self._bring(act.signed)
        except ApiError as no:
            said = no.code if self.log.table.hidden else no  # the warning may go to a log file
            self._tell(f"an earlier act is answered now: {_act(act.jws).act}, {said}")
        except HeldUpError:  # still waiting, and on disk
            return

    # --- what was signed for the place ------------------------------------------------------------------------------

    def _unsettled(self) -> list[Pending]:
        """Acts for the place that is still empty; acts for a taken place are settled and dropped."""
        with self.memory.changing_pending() as left:
            settled = [act for act in left if self._is_taken(act.signed)]
            left[:] = [act for act in left if act not in settled]
        for act in settled:
            if self._is_ours(act.signed):
                self._look_at_time(act)
        return left

    def _look_at_time(self, act: Pending) -> None:
        """Compare the time of our logged act with the time of sending."""
        odd = times.own_act(self.log.entries[_act(act.jws).seq], act.sent, self._clock())
        if odd is not None:
            self.log.say_odd(odd)

    def _keep(self, signed: Signed, *, either: bool) -> None:
        """Store an act once before it is sent, with the time of the first sending.

        UnsettledError if it is not the only one for its place, and the person does not accept another.
        """
        self._unsettled()
        with self.memory.changing_pending() as acts:
            others = [act for act in acts if act.jws != signed.jws]
            answered = all(act.refused is not None for act in others)
            if others and not (either and answered and len(others) < MOST_UNSETTLED):
                raise UnsettledError(self.log.size, [_in_words(act) for act in others], answered=answered)
            if signed.text is not None:
                self.memory.keep_text(signed.text)
            if others == acts:
                acts.append(Pending(signed.jws, self._clock(), signed.text))
        self._mark(signed, None)

    def _mark(self, signed: Signed, refused: str | None) -> None:
        with self.memory.changing_pending() as acts:
            for act in acts:
                if act.jws == signed.jws:
                    act.refused = refused

    def _drop(self, signed: Signed) -> None:
        with self.memory.changing_pending() as acts:
            acts[:] = [act for act in acts if act.jws != signed.jws]

    def _means_the_same(self, signed: Signed, problem: Mapping[str, Any]) -> bool:
        """Check that a move means the same to the server and to us; other acts do not depend on the position."""
        act = _act(signed.jws)
        if self.log.size <= act.seq:
            return False
        return act.act != "move" or (problem.get("unchanged") is True and self.log.table.unchanged(act.seat, act.seq))

    # --- sending ----------------------------------------------------------------------------------------------------

    def _bring(self, signed: Signed) -> Entry:
        """Send until the fate of the act is known."""
        path = f"/v1/games/{self.log.game}/{PATHS[_act(signed.jws).act]}"
        said = ""
        for attempt in range(TRIES):
            try:
                return self._took(self.api.act(path, signed.body), signed)
            except ApiError as no:
                if no.code != "lines-missing":
                    return self._refused(signed, no)
                said, lost = str(no), NoAnswerError(str(no))
                held_up = attempt > 0
            except NoAnswerError as no:
                said, lost, held_up = str(no), no, False
            self.reader.fetch()
            if self._is_taken(signed):
                return self._settled(signed)
            if held_up:
                raise HeldUpError(f"the server is waiting for missing entries ({said})")
            self.api.pause(pause_before(attempt, lost))
        raise NoAnswerError(f"{said}, after {TRIES} tries; the next command sends it again")

    def _took(self, answer: HttpAnswer, signed: Signed) -> Entry:
        """The entry of our act. After a lost answer the log may have grown, so it is fetched first."""
        match answer.value:
            case {"entry": str(line), "note": str(note_text)}:
                pass
            case _:
                raise NoAnswerError(f"{self.api.url}: status {answer.status}, and no entry")
        seq = _act(signed.jws).seq
        with self.log.judging("answer", sent=signed.jws, entries=[line], note=note_text):
            if self.log.size < seq:
                self.reader.fetch()
            self.reader.take(as_lines([line]), note_text)
            if self.log.size <= seq or self.log.entries[seq].body.get("jws") != signed.jws:
                raise DistrustError(
                    "other-answer", f"the server claims to have logged our act, but entry {seq} is a different one"
                )
        return self._settled(signed)

    def _refused(self, signed: Signed, no: ApiError) -> Entry:
        """Judge a refusal, after reading the log at the place of the act."""
        shown = no.content.decode("utf-8", "replace")
        with self.log.judging("refusal", sent=signed.jws, status=no.status, problem=shown) as case:
            self.reader.fetch()
            verdict = "taken" if self._is_taken(signed) else self._judge(signed, no)
            if verdict in ("allowed", "unknown"):
                self._mark(signed, no.code)
            if verdict == "allowed":
                says = f"the server refuses entry {self.log.size} with {no.code}, but the log and the rules allow it"
                raise DistrustError("false-refusal", says)
            case.keep = verdict == "unknown"
        if verdict == "taken" and self._is_ours(signed):
            self._tell(f"the server refused entry {_act(signed.jws).seq} ({no.code}) but logged it")
            return self._settled(signed)
        if verdict != "unknown":
            self._drop(signed)
        self._unsettled()
        raise no

    def _judge(self, signed: Signed, no: ApiError) -> rules.Verdict:
        """Judge by our own rules. A log cannot show whether an account may join, nor a refusal outside the game."""
        verdict = rules.judge(self.log.table, signed.jws, int(self._clock()) - times.SKEW)
        of_accounts = _act(signed.jws).act in SEATING and no.code not in admission.SAYS
        return "unknown" if verdict == "allowed" and (of_accounts or no.code in NOT_OF_GAMES) else verdict

    # --- what became of it ------------------------------------------------------------------------------------------

    def _is_taken(self, signed: Signed) -> bool:
        return self.log.size > _act(signed.jws).seq

    def _is_ours(self, signed: Signed) -> bool:
        return bool(self.log.entries[_act(signed.jws).seq].body.get("jws") == signed.jws)

    def _settled(self, signed: Signed) -> Entry:
        """The place is taken, either by our act or by another entry."""
        self._unsettled()
        act = _act(signed.jws)
        if self._is_ours(signed):
            return self.log.entries[act.seq]
        unchanged = not self.log.table.hidden and self.log.table.unchanged(act.seat, act.seq)
        raise ApiError(
            409, "stale-head", {"detail": f"entry {act.seq} is another player's act", "unchanged": unchanged}
        )


def _act(compact: str) -> Act:
    return acts.read_act(keys.read_jws(compact))


def _in_words(act: Pending) -> str:
    """Describe an unsettled act to the person who signed it."""
    what = _act(act.jws)
    commands = f" {what.commands}" if what.commands else f" {act.text}" if act.text else ""
    became = "there is no answer" if act.refused is None else f"refused with {act.refused}"
    return f"{what.act}{commands} ({became})"
