"""One line of a reply: how it is read, and whether all that its writer wrote ends here (pure)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence

IsCommand = Callable[[Sequence[str], str], bool]
"""Is this text one or more commands, after those before it?"""

MARKER = "write your reply above this line"  # the first line of every mail that can be answered
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
        r".*write your (reply|move) above this line",
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


def unarmored(lines: list[str]) -> list[str]:
    """Without the first lines of a clear-signed OpenPGP text (RFC 9580, 7), whose own text ends where it `stops`."""
    first = next((at for at, line in enumerate(lines) if line), 0)
    if not lines or lines[first] != "-----begin pgp signed message-----" or "" not in lines[first:]:
        return lines
    return lines[lines.index("", first) :]


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
