"""Parses replies: the commands that a person typed, or one word, or why neither can be read (pure).

A line that parses is a command, whatever else it looks like, so that no rule about quotations can drop half of a turn.
Any other line ends the reply if it begins a quotation or a signature, is joined with the next ones if a mail program
has broken it, or is chatter. A move is taken whole or not at all, so an unreadable line counts by its place:

    right below a command       nothing is done: the line was meant as a command
    below an empty line         chatter: no command may follow
    above the first command     the same

A quotation at the top is skipped if its first line marks it as one. Also skipped are a bullet or a number before a
command, stars around it, a greeting at the top, and below the commands a closing, the writer's name, their telephone
number or a disclaimer, after which no command may follow. A line with only a full stop, or with `send`, ends the reply.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from engine import replay
from engine.errors import SealedMoveError
from engine.game import Game, State
from engine.kit import notation, parse
from engine.kit.grammar import words_of
from workers.errors import WorkerError

MOST_LOOKS = 64  # lines that are tried in the position, in case every line begins like a command
MOST_LINES = 400
LONGEST_LINE = 1000  # longer than any command; keeps searches in a line quick
WORDS = {
    "help": "help",
    "preview": "preview",
    "stop": "stop",
    "stop mail": "stop",
    "unsubscribe": "stop",
    "resign": "resign",
    "i resign": "resign",
    "give up": "resign",
    "i give up": "resign",
    "offer seat": "offer",
    "offer my seat": "offer",
}
TOO_LONG = "..."  # replaces a line that is longer than any command
CUT = "\0"  # marks where the text was cut; `normal` removes this character from lines
IsCommand = Callable[[Sequence[str], str], bool]
"""Is this text one or more commands, after those before it?"""


@dataclass(frozen=True)
class ParsedReply:
    """The typed reply. `trouble`, if nothing is done: `unread`, `late`, `look-alike` or `long`; `line` is where."""

    commands: tuple[str, ...] = ()
    word: str = ""
    trouble: str = ""
    line: str = ""


def parse_reply(text: str, knows: IsCommand, names: Collection[str] = (), *, is_cut: bool = False) -> ParsedReply:
    """The commands or the word in the text of a reply; `names` are words of its writer's name, in lower case.

    If the text `is_cut`, the reply must end before the cut.
    """
    lines = _lines(text, is_cut=is_cut)
    first = _blanks(lines, 0)
    if first < len(lines) and not known(knows, (), lines[first]):
        lines = lines[_quoted(lines) :]
        first = _blanks(lines, 0)
        if first < len(lines) and is_greeting(lines[first], knows):
            lines = lines[first + 1 :]
    first = _blanks(lines, 0)
    head = typed(lines[first]) if first < len(lines) else ""
    if head and not known(knows, (), lines[first]) and not stops(lines, first):
        if head in WORDS and head != "preview":
            return ParsedReply(word=WORDS[head])
        word, _, rest = head.partition(" ")
        if word in ("preview", "preview:"):
            found = _ReplyParser(knows, names).all([rest, *lines[first + 1 :]])
            return ParsedReply(found.commands, "preview", found.trouble, found.line)
    return _ReplyParser(knows, names).all(lines)


def _lines(text: str, *, is_cut: bool) -> list[str]:
    """The normalised lines; the last may be CUT, in place of an incomplete line."""
    every = text.splitlines()
    ends = len(every) - is_cut
    lines = [TOO_LONG if _is_long(line) else normal(line) for line in every[: min(ends, MOST_LINES)]]
    return [*lines, CUT] if is_cut or ends > MOST_LINES else lines


def _is_long(line: str) -> bool:
    """Too long, also once normalised: some characters become eighteen."""
    return len(line) > LONGEST_LINE or len(unicodedata.normalize("NFKC", line)) > LONGEST_LINE


def _quoted(lines: Sequence[str]) -> int:
    """The number of lines of a quotation at the beginning that its first line marks as one."""
    at = _blanks(lines, 0)
    opens = attribution(lines, at)
    begin = _blanks(lines, at + opens)
    if begin >= len(lines) or not lines[begin].startswith(">"):
        return 0
    at = begin
    while at < len(lines) and (not lines[at] or lines[at].startswith(">")):
        at += 1
    return at


def _blanks(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at]:
        at += 1
    return at


class _UnreadableError(WorkerError):
    """Nothing in the reply is done, because of `trouble` at this line."""

    def __init__(self, trouble: str, line: str) -> None:
        super().__init__(trouble)
        self.trouble, self.line = trouble, line


class _ReplyParser:
    """Reads the lines from the top and collects the commands."""

    def __init__(self, knows: IsCommand, names: Collection[str]) -> None:
        self.knows = knows
        self.names = names
        self.commands: list[str] = []
        self.chatter = ""
        self.is_closed = False  # the writer has signed
        self.is_apart = True  # there is an empty line after the last command, or no command yet

    def all(self, lines: Sequence[str]) -> ParsedReply:
        try:
            self._read(lines)
        except _UnreadableError as no:
            return ParsedReply(trouble=no.trouble, line=no.line)
        return ParsedReply(tuple(self.commands), line=self.chatter)

    def _read(self, lines: Sequence[str]) -> None:
        at = taken = 0
        while at < len(lines):
            if lines[at]:
                taken = self._take(lines, at)
                if not taken:
                    return
            else:
                self.is_apart, taken = True, 1
            at += taken

    def _take(self, lines: Sequence[str], at: int) -> int:
        """Read a command of one to three lines, or a line of chatter; returns the number of lines, 0 at the end."""
        if lines[at] == CUT:
            raise _UnreadableError("long", "")
        if self._command(lines[at]):
            return 1
        if stops(lines, at) or lines[at] == "." or typed(lines[at]) == "send":
            return 0
        for count in (2, 3):
            if (
                len(lines) >= at + count
                and all(lines[at : at + count])
                and self._command(" ".join(lines[at : at + count]))
            ):
                return count
        if not self._goes_on(typed(lines[at])):
            self._talk(lines, at)
        return 1

    def _command(self, line: str) -> bool:
        text = known(self.knows, self.commands, line)
        if not text:
            return False
        if self.chatter or self.is_closed:
            raise _UnreadableError("late", text)
        self.commands.append(text)
        self.is_apart = False
        return True

    def _goes_on(self, text: str) -> bool:
        """Is it the rest of a command that a mail program may have broken?"""
        if not self.commands or self.is_apart or len(self.commands[-1]) < HARD_WRAP:
            return False
        whole = f"{self.commands[-1]} {text}"
        if not self.knows(self.commands[:-1], whole):
            return False
        self.commands[-1] = whole
        return True

    def _talk(self, lines: Sequence[str], at: int) -> None:
        line = lines[at]
        plain = typed(line.translate(ALIKE))
        if plain != typed(line) and self.knows(self.commands, plain):
            raise _UnreadableError("look-alike", line)
        if self.commands and not self.chatter and closes(lines, at, self.names):
            self.is_closed = self.is_apart = True
            return
        if not self.is_apart:
            raise _UnreadableError("unread", line)
        self.chatter = self.chatter or line
        self.is_apart = True


# --- what counts as a command: what the game's grammar reads, written out or as it is meant in the position -----------


def begins(game: Game[Any], text: str) -> bool:
    """Does a line begin like a command, written in full?"""
    words = words_of(text)[0]
    return any(words[: len(begin)] == list(begin) for begin in map(notation.head, game.commands))


def commands_of(game: Game[Any], state: State, seat: int) -> IsCommand:
    """The commands of a seat in this position. Words may be shortened or left out as usual, except the first.

    So chatter is not a command by chance: the line must begin with a command's first word and be one to its end.
    """
    left = [MOST_LOOKS]

    def knows(before: Sequence[str], text: str) -> bool:
        try:
            parse(game, text)
        except SealedMoveError:
            return begins(game, text) and is_meant([*before, text])
        return True

    def is_meant(lines: Sequence[str]) -> bool:
        left[0] -= 1
        if left[0] < 0:
            return False
        try:
            replay.read(game, state, seat, "\n".join(lines))
        except SealedMoveError:
            return False
        return True

    return knows


# --- one line: how it is read, and whether all that its writer wrote ends here ----------------------------------------

MARKER = "write your move above this line"  # the first line of every mail that can be answered
HARD_WRAP = 55  # a line as long as this may have been broken by the mail program

_SENT = r"(envoy|gesendet|enviad|inviat|отправлен|verzonden|verstuurd|wysłan|skickat|sendt|odesl|lähetet|küldv)"
_PHONES = r"(iphone|ipad|ipod|android|outlook|galaxy|samsung|huawei|mobil|phone|telefon|yahoo|proton|thunderbird|k-9)"
_HEADS = (
    "from|to|cc|sent|date|subject|reply-to|von|an|gesendet|datum|betreff|de|à|para|enviado|envoyé|objet|asunto|fecha"
    "|assunto|da|a|data|inviato|oggetto|от|кому|отправлено|дата|тема|van|aan|verzonden|onderwerp|od|do|wysłano|temat"
    "|fra|til|från|till|skickat|ämne|emne|lähettäjä|aihe|feladó|tárgy|差出人|宛先|件名|发件人|收件人|主题|寄件者|日期"
)
STOPS = tuple(
    re.compile(pattern)
    for pattern in (
        rf".*{MARKER}",
        r">|\|\s*>",
        r"--|__|==|\*\*\*|~~|[-_*=~ ]{3,}$",
        rf"\*?({_HEADS})\s?:\*? ",
        r"[(<\[]{0,2}sent (from|via|with|using|by) ",
        r"(get|obtenez|télécharger|hol(en sie sich)?|obtener|scarica|descarga|download) outlook\b",
        rf"({_SENT[1:-1]})\w* .*{_PHONES}",
        rf"(von|mit|från|fra|van|z|від) .*{_PHONES}.* {_SENT}",
        r"(from my|von meinem|desde mi|dal mio|de mon|do meu|vanaf mijn|från min|fra min) .*" + _PHONES,
        r"(從我的|发自我的|發自我的|.*から送信)",
        r"diese nachricht wurde von .* gesendet",
    )
)
_WROTE = re.compile(
    r"\b(wrote|writes|schrieb|a écrit|escribió|escreveu|ha scritto|scrisse|schreef|skrev|kirjoitti|napisał\w*|napsal\w*"
    r"|написал\w*|пишет|пише|írta|yazdı|scris|geschreven)\b|写道|寫道|のメール|作成"
)
_ADDRESS = re.compile(r"[^\s<>()]+@[^\s<>()]+\.[^\s<>()]+")
_DATED = re.compile(r"\b(20\d\d|\d{1,2}[:.]\d\d|\d{1,2}[./-]\d{1,2}[./-])")
LONGEST_ATTRIBUTION = 300

# --- habits that mean nothing else ------------------------------------------------------------------------------------

BULLET = re.compile(r"(?:[-*+] +|[\u2022\u25e6\u25aa\u2043\xb7] *|\(?\d{1,2}[.)] +)")
GREETING = re.compile(
    r"(hi|hello|hey|dear|good (morning|afternoon|evening|day)|greetings|hallo|moin|servus|liebe[rs]?"
    r"|guten (morgen|tag|abend)|bonjour|bonsoir|salut|hola|buen(os d[ií]as|as tardes)|ciao|buongiorno|buonasera"
    r"|ol[aá]|bom dia|boa tarde|hej|hei|hoi|dag|beste|cześć|witam|ahoj|привет|здравствуйте|добрый день|merhaba|szia)"
    r"( [^\s,;:.!?]+){0,2}"
)
CLOSING = re.compile(
    r"^(((best|kind|kindest|warm|many) )?(regards|thanks|wishes)|thank you|thx|cheers|best|yours|bye|take care|see you"
    r"|((mit )?(viele|liebe|beste|sch[oö]ne|freundliche)n? )?gr[uü](ß|ss)e?n?|lg|vg|mfg|danke|tsch[uü]ss"
    r"|merci|cordialement|bien à (toi|vous)|amicalement|bises|(un )?saludos?|gracias|(cordiali )?saluti|grazie|abraços?"
    r"|obrigad[oa]|groet(en|jes)|mvh|(med )?vänliga hälsningar|tack|(med )?venlig hilsen|pozdrawiam|dzięki"
    r"|s pozdravem|с уважением|спасибо)\b"
)
PHONE = re.compile(r"((tel|telephone|phone|mobile|mobil|cell|fon|telefon|t|m)[.:]{0,2} *)?\(?(\+|0)[\d ()/.-]*\d")
FEWEST_DIGITS = 7
DISCLAIMER = re.compile(
    r"(this|the information|confidential|disclaimer|(legal|important) (notice|note)|diese|vertraulich"
    r"|haftungsausschluss|ce (message|courriel)|cet e-?mail|este (mensaje|correo)|esta mensagem|quest[oa]"
    r"|dit (bericht|e-?mail)|deze e-?mail)\b"
)
LEGAL = re.compile(
    r"confidential|privileged|intended (only |solely )?for|vertraulich|empfänger|confidentiel|destinataire|confidencial"
    r"|destinatari|riservat|vertrouwelijk|geadresseerde"
)

# Cyrillic letters that look like Latin ones; no command contains them.
ALIKE = str.maketrans("авеікмнорстухѕј", "abeikmhopctyxsj")


def normal(line: str) -> str:
    """Normalise a line: one kind of space, dash and quotation mark, no invisible characters, lower case."""
    text = unicodedata.normalize("NFKC", line)
    return " ".join("".join(map(_letter, text)).split()).lower()


def typed(line: str) -> str:
    """The line without punctuation at its end, as commands are read."""
    return line.rstrip(" .,;:!?")


def known(knows: IsCommand, before: Sequence[str], line: str) -> str:
    """The command in a line, if necessary without a bullet, a number and stars; "" if there is none."""
    for text in dict.fromkeys((typed(line), _bare(line))):
        if text and knows(before, text):
            return text
    return ""


def _bare(line: str) -> str:
    text = typed(BULLET.sub("", line))
    stars = re.fullmatch(r"(\*\*|__|[*_`])(?P<inner>[^*_`]+)\1", text)
    return typed(stars["inner"].strip()) if stars else text


def is_greeting(line: str, knows: IsCommand) -> bool:
    """A greeting, perhaps with a name; not if it ends with a command."""
    words = typed(line).split()
    return bool(GREETING.fullmatch(typed(line))) and not any(
        knows((), " ".join(words[start:])) for start in range(len(words))
    )


def closes(lines: Sequence[str], at: int, names: Collection[str]) -> bool:
    """Does the writer sign here, by a closing, their name, both, their telephone number or a disclaimer?"""
    text = typed(lines[at])
    rest = [word.strip(" ,.!-") for word in CLOSING.sub("", text, count=1).split()]
    if text and all(not word or word in names for word in rest) and (rest != [text] or len(text) > 1):
        return True
    if PHONE.fullmatch(text) and sum(char.isdigit() for char in text) >= FEWEST_DIGITS:
        return True
    return bool(DISCLAIMER.match(text) and LEGAL.search(" ".join(lines[at : at + 6])))


def _letter(char: str) -> str:
    kind = unicodedata.category(char)
    if kind == "Zs" or char == "\t":
        return " "
    if kind == "Pd" or char == "\u2212":
        return "-"
    if kind in ("Pi", "Pf") or char in "\u201e\u201a":
        return "'" if char in "\u2018\u2019\u201a" else '"'
    return "" if kind in ("Cf", "Cc") else char


def stops(lines: Sequence[str], at: int) -> bool:
    """Does the writer's own text end before this line?"""
    return any(rule.match(f"{lines[at]} ") for rule in STOPS) or bool(attribution(lines, at))


def attribution(lines: Sequence[str], at: int) -> int:
    """The number of lines, 1 to 3, that attribute a quotation below them; 0 if none."""
    whole = ""
    for count, line in enumerate(lines[at : at + 3], 1):
        if not line or line.startswith(">"):
            return 0
        whole = f"{whole} {line}".strip()
        if len(whole) <= LONGEST_ATTRIBUTION and _attributes(whole):
            return count
    return 0


def _attributes(text: str) -> bool:
    named, dated = _ADDRESS.search(text), _DATED.search(text)
    if text.endswith(":"):
        return bool((_WROTE.search(text) and (named or dated)) or (named and dated))
    return bool(named and dated and re.match(r"20\d\d[/-]", text) and text.endswith(">"))  # an older format of Gmail
