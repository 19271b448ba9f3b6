"""The view of a seat, or of anybody: everything except cards laid face down with `covered` set to `hidden`."""

from __future__ import annotations

from engine.game import Value, View
from engine.games.lewis_clark import boats, hints
from engine.games.lewis_clark.camping import camp_time
from engine.games.lewis_clark.cards import Kind, back
from engine.games.lewis_clark.components import BADGES
from engine.games.lewis_clark.counts import badges
from engine.games.lewis_clark.meta import CAP
from engine.games.lewis_clark.state import Frame, LewisClarkState, Played, Player
from engine.kit import Supply


class SeenPlayed(Value, frozen=True):
    """A card of a play area. `under` is the card face down below it ("" if unknown), `back` and `kind` its back."""

    card: str
    under: str = ""
    back: str = ""  # strength and badge, such as "1-fur"; "" without a card below
    kind: Kind | None = None  # None without a card below, and before rules version 4
    indians: int = 0


class SeenPlayer(Value, frozen=True):
    """`hand` are the cards known to be in hand, `held` is their real number.

    With `covered` set to `hidden`, others know that all of `down` and some of `either` lie face down. `time` is the
    delay of a camp now, in spaces, and `room` is how many more goods the boats can hold.
    """

    hand: tuple[str, ...]
    held: int
    down: tuple[str, ...]
    either: tuple[str, ...]
    table: tuple[SeenPlayed, ...]
    goods: Supply
    indians: int
    tiles: tuple[str, ...]
    scout: int
    camp: int
    time: int
    room: int
    sees: Supply  # badges in sight: the seat's and both neighbours'; alone, those of the village too
    gone: bool


class Known(Value, frozen=True, kw_only=True):
    """Cards of a player that are not face up, by what others know of them."""

    hand: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    either: tuple[str, ...] = ()


class LewisClarkView(View, frozen=True):
    """`possible` are the kinds of command that the seat to move has now, `example` is a line it could type.

    The example is empty for watchers who do not know that hand; both are empty once the game is over.
    """

    winner: int | None
    seat: int
    turns: int
    cap: int
    acted: bool
    camped: bool
    recruited: bool
    moved: bool  # the scout has moved in this action
    bonus: tuple[str, ...]  # cards that have lengthened a move of this action
    face_down_badges: bool  # badges of cards laid face down count
    level: int  # Mackenzie's head start, in the solo game
    start_over: bool  # a camp on the lowest space starts the expedition anew
    covered: bool  # others see only the backs of cards laid face down
    frames: tuple[Frame, ...]
    journal: tuple[str, ...]  # from the cheapest place to the dearest
    deck: Supply  # its cards are known; their order is not drawn yet
    discards: Supply
    village: Supply
    stock: int
    boats: Supply
    mackenzie: int | None
    players: tuple[SeenPlayer, ...]
    possible: tuple[str, ...]
    example: str


def view(state: LewisClarkState, watcher: int | None) -> LewisClarkView:
    return LewisClarkView(
        winner=state.winner,
        seat=state.seat,
        turns=state.turns,
        cap=CAP,
        acted=state.acted,
        camped=state.camped,
        recruited=state.recruited,
        moved=state.moved,
        bonus=state.bonus,
        face_down_badges=state.options.face_down_badges,
        level=state.options.level,
        start_over=state.options.start_over,
        covered=state.covers,
        frames=state.frames,
        journal=state.journal,
        deck=state.deck,
        discards=state.discards,
        village=state.village,
        stock=state.stock,
        boats=state.boats,
        mackenzie=state.mackenzie,
        players=tuple(_seen(state, seat, open_=not state.covers or seat == watcher) for seat in range(state.seats)),
        possible=() if state.over else hints.possible(state),
        example="" if state.over or (state.covers and watcher != state.seat) else hints.example(state),
    )


def _seen(state: LewisClarkState, seat: int, *, open_: bool) -> SeenPlayer:
    player = state.players[seat]
    known = Known(hand=player.hand) if open_ else _known(player, state.rules)
    return SeenPlayer(
        hand=known.hand,
        held=len(player.hand),
        down=known.down,
        either=known.either,
        table=tuple(_played(played, state.rules, open_=open_) for played in player.table),
        goods=player.goods,
        indians=player.indians,
        tiles=player.tiles,
        scout=player.scout,
        camp=player.camp,
        time=camp_time(state, seat),
        room=boats.room(player.tiles) - player.goods.total,
        sees=Supply.of({badge: badges(state, seat, badge) for badge in BADGES}),
        gone=seat in state.gone,
    )


def _played(played: Played, rules: int, *, open_: bool) -> SeenPlayed:
    if not played.under:
        return SeenPlayed(card=played.card, indians=played.indians)
    shown, kind = back(played.under, rules)
    under = played.under if open_ else ""
    return SeenPlayed(card=played.card, under=under, back=shown, kind=kind, indians=played.indians)


def _known(player: Player, rules: int) -> Known:
    """Return what follows from the backs that lie face down.

    All cards came from open places, so everybody knows which cards a player has. Of the cards with one back, as many
    lie face down as there are such backs.
    """
    backs = [back(played.under, rules) for played in player.table if played.under]
    unseen = sorted((*player.hand, *(played.under for played in player.table if played.under)))
    alike = [back(card, rules) for card in unseen]
    known: dict[str, list[str]] = {"hand": [], "down": [], "either": []}
    for card in unseen:
        lie = backs.count(back(card, rules))
        known["hand" if not lie else "down" if lie == alike.count(back(card, rules)) else "either"].append(card)
    return Known(**{name: tuple(cards) for name, cards in known.items()})
