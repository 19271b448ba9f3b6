"""The position as text, at most 78 columns: enough to play from in a mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from engine.games.lewis_clark.boats import stow, time
from engine.games.lewis_clark.cards import CARDS, LINES
from engine.games.lewis_clark.components import GOODS, JOURNAL_FUR, VILLAGE, Boat
from engine.games.lewis_clark.effects import amount
from engine.games.lewis_clark.route import FORT, LAST, LOWEST, START, terrain
from engine.games.lewis_clark.state import NEWCOMERS, POW_WOW, Frame
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayed, SeenPlayer
from engine.kit import Supply, cut

WIDTH = 78
TIE = "_"  # in no name and no sentence
DRAWN = {"river": "~", "mountain": "^", "mixed": "+"}

TYPING = """\
TO TYPE   play CARD, then for strength (3 at most) under CARD, indians N;
          or village PLACE N, of strength N. Once for each strength: use.
            use as WORD           where the lines above give several
            use pay A+B take A+B  goods of free choice, in the order equipment
                                  food fur wood (the primary) canoe horse
            use only N            to take or to move less than all
            stop                  to leave strength unused
          Once each, before the action or after it: camp; recruit CARD
          [discard CARD], which saves equipment. At last: end.
          One move may be a whole turn, such as
          play hunter; under interpreter; use; use; recruit black-cat; end"""


def board(view: LewisClarkView, names: tuple[str, ...]) -> str:
    """The whole position: the turn, route, village, journal, players, what their cards do, and what may be typed."""
    parts = (_route, _village, _journal, _players, _legend, *([] if view.over else [_typing]))
    drawn = (_headline(view, names), *(part(view) for part in parts))
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in drawn)


def _fold(head: str, text: str, indent: int) -> Iterator[str]:
    """Text after a head, its further lines set in; `TIE` is a blank at which no line breaks."""
    lines = wrap(f"{head}{text}", WIDTH, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    yield from (line.replace(TIE, " ") for line in lines or [head])


# --- the turn -------------------------------------------------------------------------------------------------------


def _headline(view: LewisClarkView, names: tuple[str, ...]) -> Iterator[str]:
    if view.over:
        yield f"The game is over. {ended(view, names)}."
        return
    yield f"Turn {view.turns} of at most {view.cap}. {cut(names[view.seat], 8)} {_duty(view)}"
    for frame in view.frames:
        yield f"  now: {frame.source}, {_strength(frame)}"
    if view.moved:
        yield f"  The scout has moved in this action{_helped(view.bonus)}."


def ended(view: LewisClarkView, names: tuple[str, ...]) -> str:
    """Who has reached the Pacific, if anybody has."""
    if view.winner is not None:
        return f"{cut(names[view.winner], 8)} has reached the Pacific"
    if view.ended and view.ended.reason == "resigned":
        return "So many have resigned that nobody goes on"
    gave_up = view.mackenzie is not None and view.mackenzie < FORT
    if view.ended and view.ended.reason == "mackenzie":
        return "The race was given up to Mackenzie" if gave_up else "Mackenzie has reached the Pacific first"
    return f"Nobody has reached the Pacific in {view.cap} turns"


def _strength(frame: Frame) -> str:
    if not frame.begun and not frame.left:
        return "without strength so far: under CARD, indians N"
    return f"strength {frame.left} left"


def _helped(bonus: Sequence[str]) -> str:
    return f", further by the help of {' and '.join(bonus)}" if bonus else ""


def _duty(view: LewisClarkView) -> str:
    duty = "has done the action" if view.acted else "owes an action"
    may = [word for word, done in (("camp", view.camped), ("recruit", view.recruited)) if not done]
    return f"{duty}; may {' and '.join(may)}." if may else f"{duty}."


# --- the route ------------------------------------------------------------------------------------------------------


def _route(view: LewisClarkView) -> Iterator[str]:
    yield "ROUTE     ~ river  ^ mountain  + both  L Saint Louis  F Fort Clatsop"
    yield "          S scout  c camp  @ scout and camp"
    yield _lane("", _ruler()) + " scout  camp"
    yield _lane("", "".join(map(_space, range(LOWEST, LAST + 1))))
    for seat, player in enumerate(view.players):
        mark = "->" if seat == view.seat and not view.over else "  "
        yield _lane(f"{mark} seat {seat + 1}", _way(player)) + f" {player.scout:>5} {player.camp:>5}"
    if view.start_over:
        yield f"          Whoever camps on space {LOWEST} begins anew with the six roles only."
    if view.mackenzie is not None:
        way = "".join("M" if space == view.mackenzie else " " for space in range(LOWEST, LAST + 1))
        yield _lane("Mackenzie", way) + f" {view.mackenzie:>5}"


def _lane(head: str, drawn: str) -> str:
    return f"{head:<10}{drawn}"


def _ruler() -> str:
    """A number at every tenth space and at the ends, its first figure above the space."""
    line = [" "] * (LAST - LOWEST + 1)
    for space in (LOWEST, START, *range(10, FORT - 1, 10), FORT):
        line[space - LOWEST : space - LOWEST + len(str(space))] = str(space)
    return "".join(line)


def _space(space: int) -> str:
    return {START: "L", FORT: "F"}.get(space, DRAWN[terrain(space)])


def _way(player: SeenPlayer) -> str:
    """Camp and scout on the route, and the way between them."""
    low, high = sorted((player.scout, player.camp))
    line = ["-" if low <= space <= high else " " for space in range(LOWEST, LAST + 1)]
    line[player.camp - LOWEST] = "c"
    line[player.scout - LOWEST] = "@" if player.scout == player.camp else "S"
    return "".join(line)


# --- village and journal --------------------------------------------------------------------------------------------


def _village(view: LewisClarkView) -> Iterator[str]:
    yield "VILLAGE         Indians"
    for place in VILLAGE:
        room = f"of {place.circles}" if place.circles else "open"
        head = f"  {place.name:<14}{view.village.count(place.name):>2} {room:<6}"
        yield from _fold(head, LINES[place.name].text, len(head))
    meeting, newcomers = view.village.count(POW_WOW), view.village.count(NEWCOMERS)
    yield f"  Pow-wow {meeting}, newcomers {newcomers}, beside the board {view.stock}."
    yield f"  Boats left: {view.boats.count('goods')} for goods, {view.boats.count('indians')} for Indians."
    if len(view.players) == 1:
        badges = ", ".join(f"{place.name} {place.badge}" for place in VILLAGE)
        yield from _fold("  Badges that places lend while an Indian is there: ", badges, 4)


def _journal(view: LewisClarkView) -> Iterator[str]:
    yield "JOURNAL   what a card costs: fur + equipment"
    for slot in range(len(view.journal), 0, -1):
        card = CARDS[view.journal[slot - 1]]
        head = f"  {slot}  {JOURNAL_FUR[slot - 1]:>6} + {card.strength}  "
        yield from _fold(head, _card(card.id), 17)
    yield f"  Deck {view.deck}, discards {view.discards}."


# --- the players ----------------------------------------------------------------------------------------------------


def _players(view: LewisClarkView) -> Iterator[str]:
    for seat, player in enumerate(view.players):
        if seat:
            yield ""
        mark = "->" if seat == view.seat and not view.over else "  "
        fate = ", has resigned" if player.gone else ""
        yield f"{mark} SEAT {seat + 1}{fate}"
        yield from _fold("     goods: ", _goods(player.goods, player.room), 12)
        yield from _fold("     boats: ", _boats(player), 12)
        yield f"     camp:  takes {player.time} time now"
        yield f"     sees:  badges {badges(player.sees)}"
        shown = (_played(played, with_under=view.face_down_badges) for played in player.table)
        yield from _fold("     play:  ", "; ".join(shown) or "nothing", 12)
        hand = (f"{card}{TIE}{CARDS[card].strength}" for card in player.hand)
        yield from _fold("     hand:  ", ", ".join(hand) or "empty", 12)


def _goods(goods: Supply, room: int) -> str:
    listed = ", ".join(amount(goods.count(good), good) for good in GOODS if goods.count(good))
    return f"{listed or 'none'}; room for {room} more"


def badges(sees: Supply) -> str:
    """What collecting counts."""
    return ", ".join(f"{n} {badge}" for badge, n in sees.rest) or "none"


def _boats(player: SeenPlayer) -> str:
    """Each boat as load/room, and what it costs on camp."""
    goods = stow(player.tiles, "goods", player.goods.total)
    indians = stow(player.tiles, "indians", player.indians)
    return f"goods {_loads(goods)}; Indians {_loads(indians)}"


def _loads(stowed: Sequence[tuple[Boat, int]]) -> str:
    return ", ".join(f"{held} of {boat.room or 'any'}{_cost(boat, held)}".replace(" ", TIE) for boat, held in stowed)


def _cost(boat: Boat, held: int) -> str:
    cost = time(((boat, held),))
    return f" (time {cost})" if cost else ""


def _played(played: SeenPlayed, *, with_under: bool) -> str:
    """The card, and what gave it strength: a card below, with its badge if that counts, and Indians."""
    badge = f" ({played.back.partition('-')[2]})" if with_under else ""
    below = [f"{played.under or 'a card'}{badge} below"] if played.back else []
    by = " and ".join(below + _indians(played.indians))
    return f"{played.card} ({CARDS[played.card].badge})" + (f" with {by}" if by else "")


def _indians(count: int) -> list[str]:
    return [f"{count} Indian" + "s" * (count > 1)] * bool(count)


# --- the cards ------------------------------------------------------------------------------------------------------


def _legend(view: LewisClarkView) -> Iterator[str]:
    """What every card in a hand or in a play area does, each once."""
    yield "CARDS   (strength, badge): what one use takes -> what it brings"
    for name in held(view):
        yield from _fold("  ", _card(name), 6)


def held(view: LewisClarkView) -> list[str]:
    """Every card in a hand or in a play area, each once."""
    somewhere = {card for player in view.players for card in (*player.hand, *player.either, *_lying(player))}
    return [card for card in CARDS if card in somewhere]


def _card(name: str) -> str:
    card = CARDS[name]
    return f"{name} ({card.strength} {card.badge}): {card.text}"


def _lying(player: SeenPlayer) -> Iterator[str]:
    for played in player.table:
        yield from (played.card, played.under) if played.under else (played.card,)


# --- what may be typed ----------------------------------------------------------------------------------------------


def _typing(_: LewisClarkView) -> Iterator[str]:
    """For whoever has not read the game's README; what is allowed at this moment, the mail lists."""
    yield from TYPING.splitlines()
