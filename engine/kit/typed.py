"""Reading a line in a position: text that means one of the legal commands without being written out.

    te 1 q             words cut short; if no legal command fits, those of the notation are written out and read again
    village hunting    a field left out, where only one value of it is possible
    use                optional fields left out (`spelling.implied`), where only one value of them is possible
    gather             a number left out, for as many as possible (`spelling.most`)
    place c4 r3        another spelling of the same (`Command.meant`): a rotation that looks alike

A player who may give these commands can list them all, so reading reveals nothing beyond that list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.errors import Ambiguous, BadNotation
from engine.game import Command, Game, State
from engine.kit import grammar, notation
from engine.kit.grammar import parse_line, words_of
from engine.kit.notation import Step, format_command, template
from engine.kit.play import active, allowed, is_allowed, legal

MOST_CANDIDATES = 20


def complete(game: Game[Any], state: State, seat: int, text: str) -> tuple[Step, ...]:
    """The steps that this line means for this seat now. Ambiguous lists candidates, BadNotation says what would fit.

    A command that is written out is returned even if the rules refuse it: their reason helps more than a list.
    """
    words, may_skip = words_of(text)
    try:
        commands = tuple(step.command for step in parse_line(game, text))
    except BadNotation as no:
        listed = tuple(legal(game, state, seat))
        fits = _fitting(words, listed)
        if (one := _one_of(fits)) is not None:
            return (Step(one, may_skip),)
        commands = _written_out(game, state, seat, words)
        if not commands:
            raise (_ambiguous(words, fits) if fits else _no_fit(words, listed, no)) from None
    return tuple(Step(_as_meant(game, state, seat, command), may_skip) for command in commands)


def _written_out(game: Game[Any], state: State, seat: int, words: Sequence[str]) -> tuple[Command, ...]:
    """The commands of a line once the words of its notation that are cut short are whole: `te 3 row 2`.

    () if no kind can be read so, or several can.
    """
    kinds = game.phase(state, seat) if seat in active(game, state) else ()
    found = [commands for kind in kinds if (commands := _read_whole(kind, words))]
    return found[0] if len(found) == 1 else ()


def _read_whole(kind: type[Command], words: Sequence[str]) -> tuple[Command, ...]:
    known = {token for group in template(kind) for token in group.tokens if not token.startswith("{")}
    return grammar.read_as(kind, [_whole(word, known) for word in words])


def _whole(word: str, known: Iterable[str]) -> str:
    """The only known word that begins like this one; the word itself if it is known, or none or several do."""
    longer = [text for text in known if text.startswith(word)]
    return longer[0] if len(longer) == 1 and word not in known else word


def _as_meant(game: Game[Any], state: State, seat: int, command: Command) -> Command:
    if seat not in active(game, state) or type(command) not in game.phase(state, seat):
        return command
    meant = command.meant(state, seat)
    if is_allowed(meant, state, seat):
        return meant
    implied = _implied(meant, state, seat)
    one = _one_of(implied)
    if implied and one is None:
        raise _ambiguous(format_command(meant).split(), implied)
    return one or meant


def _implied(typed: Command, state: State, seat: int) -> Sequence[Command]:
    """The allowed commands that are the typed one with fields that may stay untyped."""
    silent = [name for name in typed.spelling.implied if getattr(typed, name) is None]
    same_kind = allowed((type(typed),), state, seat) if silent else ()
    return [other for other in same_kind if replace(other, **dict.fromkeys(silent)) == typed]


# --- among the legal commands ---------------------------------------------------------------------------------------


def _fitting(words: Sequence[str], listed: Iterable[Command]) -> Sequence[Command]:
    """The commands that fit best: whole words take precedence over cut ones, and given words over ones left out."""
    fits: dict[tuple[int, bool], list[Command]] = {}
    for command in listed if words else ():
        how = min((end.how for end in _ways(words, command) if end.fits), default=None)
        if how is not None:
            fits.setdefault(how, []).append(command)
    return fits[min(fits)] if fits else ()


def _one_of(fits: Sequence[Command]) -> Command | None:
    """The only command; of several that differ in numbers that may be left out, the one with the most."""
    if len(fits) > 1 and len({_without_most(command) for command in fits}) > 1:
        return None
    return max(fits, key=lambda command: [getattr(command, name) for name in command.spelling.most], default=None)


def _ambiguous(words: Sequence[str], fits: Sequence[Command]) -> Ambiguous:
    candidates = tuple(format_command(command) for command in fits[:MOST_CANDIDATES])
    return Ambiguous("ambiguous", found=" ".join(words)[:80], candidates=candidates)


def _without_most(command: Command) -> object:
    """The command without the numbers that may be left out; the command itself if there are none."""
    most = command.spelling.most
    plain = {name: value for name, value in msgspec.to_builtins(command).items() if name not in most}
    return tuple(sorted(map(repr, plain.items()))) if most else command


class End(msgspec.Struct, frozen=True):
    """How far one reading of the words came, and the rest of the command that is still missing."""

    at: int
    cut: int  # 0: no word is cut short, 1: some are, 2: parts of a set are left out
    is_short: bool
    rest: tuple[str, ...]  # the words that could come next
    fits: bool = False

    @property
    def how(self) -> tuple[int, bool]:
        return self.cut, self.is_short


def _ways(words: Sequence[str], command: Command) -> Iterator[End]:
    """Every way to read the words, or as many of them as fit, as this command."""
    begin = notation.head(type(command))
    for at, word in enumerate(begin):
        if at == len(words) or not word.startswith(words[at]):
            yield End(at, cut=0, is_short=False, rest=(word,))
            return
    parts = tuple(notation.write(command))
    needed = tuple(word for group, texts in parts if not group.optional for word in texts)[len(begin) :]
    options = tuple((group, texts) for group, texts in parts if group.optional)
    cut = int(list(begin) != list(words[: len(begin)]))
    yield from _Way(words, command, needed, options).walk(len(begin), 0, frozenset(range(len(options))), cut, False)


class _Way:
    """The words to read, with the command's needed words and options."""

    def __init__(self, words: Sequence[str], command: Command, needed: Sequence[str], options: Sequence[Any]) -> None:
        self.words = words
        self.needed = needed
        self.options = options
        self.implied = set(command.spelling.implied)
        self.is_bare = command.spelling.times == 1

    def walk(self, at: int, need: int, left: frozenset[int], cut: int, is_short: bool) -> Iterator[End]:
        if at == len(self.words):
            yield self._end(at, need, left, cut, is_short)
            return
        moved = False
        for option in sorted(left):
            for taken, how in self._takes(self.options[option][1], at):
                moved = True
                yield from self.walk(at + taken, need, left - {option}, max(cut, how), is_short)
        for skipped in range(need, len(self.needed)):
            more = _like(self.needed[skipped], self.words[at])
            if more is not None:
                moved = True
                yield from self.walk(at + 1, skipped + 1, left, max(cut, more), is_short or skipped > need)
        if not moved:
            yield End(at, cut=cut, is_short=is_short, rest=self._rest(need, left))
            yield from self._begun_options(at, left)

    def _begun_options(self, at: int, left: frozenset[int]) -> Iterator[End]:
        """The words that could continue an option that was begun, as in `use as boat`."""
        for option in sorted(left):
            texts = self.options[option][1]
            pairs = zip(texts, self.words[at:], strict=False)
            alike = next((n for n, (text, word) in enumerate(pairs) if _like(text, word) is None), 0)
            if alike:
                yield End(at + alike, cut=0, is_short=False, rest=tuple(texts[alike].split("+")))

    def _end(self, at: int, need: int, left: frozenset[int], cut: int, is_short: bool) -> End:
        """Needed words may be left out; so may an option whose fields may stay untyped."""
        silent = all(set(self.options[option][0].fields) <= self.implied for option in left)
        fits = silent and not any(self.options[option][0].flag for option in left)
        is_short = is_short or need < len(self.needed) or bool(left)
        return End(at, cut=cut, is_short=is_short, rest=self._rest(need, left), fits=fits)

    def _rest(self, need: int, left: frozenset[int]) -> tuple[str, ...]:
        return (*self.needed[need : need + 1], *(self.options[option][1][0] for option in sorted(left)))

    def _takes(self, texts: Sequence[str], at: int) -> Iterator[tuple[int, int]]:
        """How many words an option takes here, and whether one is cut short. Where a bare number does not say how
        often, it may go without its word.
        """
        here = self.words[at : at + len(texts)]
        likes = (_like(text, word) for text, word in zip(texts, here, strict=False))
        whole = [cut for cut in likes if cut is not None]
        if len(here) == len(texts) == len(whole):
            yield len(texts), max(whole)
        elif self.is_bare and len(texts) == 2 and texts[1].isdigit() and texts[1] == self.words[at]:
            yield 1, 0


def _like(text: str, word: str) -> int | None:
    """Is the word the text whole (0), cut short (1), or a set of which parts are left out (2)? None: neither.

    Numbers are never cut.
    """
    if text == word:
        return 0
    if "+" in text or "+" in word:
        return _alike_parts(text.split("+"), word.split("+"))
    return 1 if not word.isdigit() and text.startswith(word) else None


def _alike_parts(texts: list[str], words: list[str]) -> int | None:
    """The same for the parts of a tuple, in order."""
    cuts = [cut for text, word in zip(texts, words, strict=False) if (cut := _like(text, word)) is not None]
    if len(cuts) < len(words):
        return None
    return 2 if len(words) < len(texts) else max(cuts)


# --- refusals -------------------------------------------------------------------------------------------------------


def _no_fit(words: Sequence[str], listed: Iterable[Command], no: BadNotation) -> BadNotation:
    """The words that would fit where these stop fitting any legal command; the reader's error if it came further."""
    ends = [end for command in listed for end in _ways(words, command)]
    at = max((end.at for end in ends), default=0)
    known = no.facts["expected"]
    understood = words.index(no.facts["word"]) if no.facts["word"] in words else len(words)
    if not ends or not words or understood > at:
        return no
    possible = dict.fromkeys(text for end in ends if end.at == at for text in end.rest)
    assert isinstance(known, tuple)
    often = [text for text in known if understood == at and text.startswith(grammar.OFTEN)]
    listed_here = [*_in_ranges(_parts(list(possible))), *often]
    return grammar.refusal(words, at, listed_here, known=(*possible, *known))


def _parts(texts: list[str]) -> list[str]:
    """For sets only their parts, because there may be hundreds of sets."""
    if not any("+" in text for text in texts):
        return texts
    return [*dict.fromkeys(part for text in texts for part in text.split("+")), "or several of them, joined by +"]


def _in_ranges(texts: list[str]) -> list[str]:
    """Numbers in a row as `1..6`."""
    numbers = sorted(int(text) for text in texts if text.isdigit())
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return [*(text for text in texts if not text.isdigit()), f"{numbers[0]}..{numbers[-1]}"]
    return texts
