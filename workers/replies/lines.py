"""One line of a reply: how it is read, and whether all that its writer wrote ends here (pure)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

MARKER = "write your move above this line"  # in every mail that can be answered, in its first line
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

# Letters that look like ours; a word typed with one of them is a word of no game.
ALIKE = str.maketrans("авеікмнорстухѕј", "abeikmhopctyxsj")


def normal(line: str) -> str:
    """As it is compared: one kind of blank, dash and quotation mark, nothing invisible, no capitals."""
    text = unicodedata.normalize("NFKC", line)
    return " ".join("".join(map(_letter, text)).split()).lower()


def typed(line: str) -> str:
    """A line as a command is read from it: without the stop at its end. No bullet goes: our mails list `- done`."""
    return line.rstrip(" .,;:!?")


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
    """Does what the writer wrote end before this line?"""
    return any(rule.match(f"{lines[at]} ") for rule in STOPS) or bool(attribution(lines, at))


def attribution(lines: Sequence[str], at: int) -> int:
    """How many lines, 1 to 3 and none empty, say from here on who wrote what is quoted next; 0: none."""
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
    return bool(named and dated and re.match(r"20\d\d[/-]", text) and text.endswith(">"))  # Gmail, some years ago
