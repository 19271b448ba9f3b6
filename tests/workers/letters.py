"""Sample letters from real positions; `python -m tests.workers.letters` writes them again into `mails/`."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from functools import partial
from pathlib import Path

from engine import kit
from engine.chance import Lane
from engine.replay import move, resign, start
from server.kernel import secrets
from server.kernel import text as kernel_text
from tests.kit.games.bids import Bid, BidsOptions
from tests.kit.games.bids import game as bids
from tests.kit.games.pig import PigOptions
from tests.kit.games.pig import game as pig
from tests.workers.account_letters import (
    ADA,
    GAME,
    HOST,
    HOUSE,
    NOW,
    confirm,
    digest,
    digest_of_news,
    holiday,
    invited,
    login,
    notice,
    paused,
    paused_gone,
    waits_for_address,
    waits_for_device,
)
from workers.mail import guide_excerpt, picture
from workers.mail.compose import compose
from workers.mail.facts import (
    Absent,
    Answer,
    Cancelled,
    Offered,
    Over,
    Reader,
    ReaderSeat,
    ReplyAddress,
    Rescheduled,
    Started,
    TableView,
    Taken,
    TalkMessage,
    Turn,
    Unproven,
    Ways,
    message_id,
)
from workers.mail.notices import NOTICES

MAILS = Path(__file__).parent / "mails"
PLAYERS = ("Ada Lovelace", "Ben", "Zoë")
TOKEN = secrets.unsubscribe_token(bytes(32), GAME, 0, 3)
WAYS = Ways(
    secrets.choice_token(bytes(32), "digest", ADA, GAME),
    secrets.choice_token(bytes(32), "text", ADA),
    secrets.choice_token(bytes(32), "off", ADA),
)
NOTE = (
    f"{HOST}/game/{GAME}\n12\nn4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=\n\n"
    f"— {HOST} GYtsBmYyrIVlCeC9X3shNO0wuT11MfR5s5Sxkng6vyxr1NXKCtRxYCDJkwMfR0P2tXcZgVzmq7pnA9KBIVKSpZCpDws=\n"
)
ADDRESS = f"move+{'a2345bcd' * 3}@{HOST}"
ADA = Reader("Ada Lovelace", "ada@example.org")


def lane(word: bytes) -> Lane:
    return Lane(lambda _: word, b"entropy", 1)


def pig_place(seat: int = 0) -> ReaderSeat:
    return ReaderSeat(GAME, pig.meta.key, pig.meta.title, seat, PLAYERS, TOKEN, WAYS, ADDRESS)


def pig_table(state, seat: int, since: tuple[str, ...]) -> TableView:
    view = kit.view(pig, state, seat)
    return TableView(since, pig.board(view, PLAYERS), NOTE, picture.png(pig.picture(view, PLAYERS)))


def pig_turn():
    """Ada's second turn, with the moves of the others."""
    turn = start(pig, 3, PigOptions(goal=30), lane(b"pig"), lane(b"hid"))
    for seat, steps in ((0, "roll; hold"), (1, "roll; roll; try hold"), (2, "roll; try hold")):
        move(pig, turn, seat, kit.parse(pig, steps))
    names = pig_place().players
    return turn, tuple(filter(None, (kit.tell(event, names) for event in turn.events[3:])))


MANUAL = guide_excerpt.block((Path(__file__).parents[1] / "kit" / "games" / "pig" / "guide.md").read_text("utf-8"))


def your_turn(**changes) -> Turn:
    turn, since = pig_turn()
    return replace(
        Turn(
            message_id=message_id(HOUSE.host, GAME, 12, 0, "turn"),
            place=replace(pig_place(), reply=ADDRESS if "reply" in changes else None),
            table=pig_table(turn.state, 0, since),
            legal=kit.group(kit.legal(pig, turn.state, 0)),
            clock_plays=kit.format_command(pig.default(turn.state, 0)),
            now=NOW,
            deadline=NOW + timedelta(days=3, hours=2),
        ),
        **changes,
    )


REPLY = ReplyAddress(ADDRESS, moves=False)


def answerable() -> Turn:
    """A mail that can be answered; the answer becomes a draft. It is the first of its game."""
    return your_turn(reply=REPLY, began=True, manual=MANUAL)


def answerable_unsigned() -> Turn:
    """A mail whose answer is the move itself."""
    return your_turn(reply=replace(REPLY, moves=True))


def talked() -> Turn:
    """The others have written; the mail can be answered, also by words."""
    facts = your_turn(reply=replace(REPLY, talks=True))
    talk = (
        TalkMessage(
            1, "Ben", "Nice move!\nI will be away on Sunday, so please do not wait for me before Monday evening."
        ),
        TalkMessage(2, "Zoë", "No hurry."),
    )
    return replace(facts, table=replace(facts.table, talk=talk, more_talk=1))


def answer_said() -> Answer:
    lead = ("Your words were sent to the table. You can take them back on the game's page for ten minutes:",)
    return answer("said", lead=lead, commands=(), events=(), said=TalkMessage(0, "Ada Lovelace", "Thanks, no hurry."))


def answer(did: str = "played", **changes) -> Answer:
    """Answer Ada's mail; then it is Ada's turn again."""
    turn, since = pig_turn()
    words = Answer(
        message_id=message_id(HOUSE.host, GAME, 13, 0, "answer"),
        place=pig_place(),
        did=did,
        lead=(
            "Your move was played as entry 13 of the log.",
            "The move is not signed: only this server vouches for it.",
        ),
        commands=("roll", "roll"),
        events=since,
        table=pig_table(turn.state, 0, since),
        legal=kit.group(kit.legal(pig, turn.state, 0)),
        next_says="Ada Lovelace, it is your turn.",
        reply=replace(REPLY, moves=True),
    )
    return replace(words, **changes)


def answer_planned() -> Answer:
    board = pig_table(pig_turn()[0].state, 0, ()).board
    lead = ("Your draft move was saved. It is not played until you check it and sign it.",)
    return answer("planned", lead=lead, board=board, reply=REPLY)


def answer_unread() -> Answer:
    lead = ('Nothing was done: your reply does not begin with a command but with "what a game".',)
    return answer("unread", lead=lead, commands=(), events=(), reply=REPLY)


def answer_left() -> Answer:
    lead = ("The seat is no longer yours, so nothing was done.",)
    place = replace(pig_place(), token=None, ways=None)
    return Answer(message_id(HOUSE.host, GAME, 13, 0, "answer"), place, "left", lead)


def unproven() -> Unproven:
    words = message_id(HOUSE.host, GAME, 12, 0, "unproven")
    return Unproven(words, pig_place(), "it has no valid DKIM signature of example.org that covers From and Date")


def reminder() -> Turn:
    late = message_id(HOUSE.host, GAME, 12, 0, "reminder")
    return your_turn(message_id=late, reminder=True, now=NOW + timedelta(days=2, hours=10))


def others_seats() -> Turn:
    """With a bank; one of the others is absent, the other has offered their seat."""
    facts = your_turn(bank=timedelta(hours=3), grace=timedelta(hours=12))
    free = (kernel_text.free(2, is_open=False), kernel_text.free(3, is_open=True))
    return replace(facts, table=replace(facts.table, standing=("", "absent", "seat offered"), free=free))


def absent_turn() -> Turn:
    """Ada took the seat over and has been absent since."""
    facts = your_turn(absent=True, deadline=NOW + timedelta(hours=12))
    return replace(facts, table=replace(facts.table, is_new=True, standing=("absent", "", "")))


def absent() -> Absent:
    words = message_id(HOUSE.host, GAME, 12, 0, "absent")
    return Absent(words, pig_place(), NOTE, missed=2, grace=timedelta(hours=12), may_be_taken=True)


def offered() -> Offered:
    words = message_id(HOUSE.host, GAME, 12, 0, "offered")
    return Offered(words, pig_place(), NOTE, at=NOW, seq=12, until=NOW + timedelta(days=3), recovered=False)


def taken() -> Taken:
    words = message_id(HOUSE.host, GAME, 12, 0, "taken")
    place = replace(pig_place(), token=None, ways=None)
    return Taken(words, place, NOTE, by="Dee", at=NOW, seq=12, offered=False)


def started() -> Started:
    turn = start(pig, 3, PigOptions(), lane(b"pig"), lane(b"hid"))
    words = message_id(HOUSE.host, GAME, 4, 1, "started")
    return Started(words, pig_place(1), pig_table(turn.state, 1, ()), kit.active(pig, turn.state))


def first_bid() -> Turn:
    """A hidden game's first mail: only Ben's own favourite is in it."""
    turn = start(bids, 3, BidsOptions(), lane(b"lots"), lane(b"hidden"))
    place = ReaderSeat(GAME, bids.meta.key, bids.meta.title, 1, ("Ada Lovelace", "Ben", "Zoë"), TOKEN)
    told = (kit.tell(kit.redact(event, 1), place.players) for event in turn.events)
    table = TableView(
        tuple(filter(None, told)), bids.board(kit.view(bids, turn.state, 1), PLAYERS), NOTE, has_moved=False
    )
    return Turn(
        message_id=message_id(HOUSE.host, GAME, 4, 1, "turn"),
        place=place,
        table=table,
        legal=kit.group(kit.legal(bids, turn.state, 1)),
        clock_plays=kit.format_command(bids.default(turn.state, 1)),
        now=NOW,
        deadline=None,
        began=True,
        others=(0, 2),
        then=(0, 2),
    )


def over() -> Over:
    """Two sold lots; then Zoë resigns and ranks last."""
    turn = start(bids, 3, BidsOptions(lots=2), lane(b"lots"), lane(b"hidden"))
    for amounts in ((3, 1, 2), (2, 5, 0)):
        for seat, amount in enumerate(amounts):
            move(bids, turn, seat, [kit.Step(Bid(amount))])
        if amounts[0] == 3:
            resign(bids, turn, 2)
    ended = kit.outcome(bids, turn.state)
    place = ReaderSeat(GAME, bids.meta.key, bids.meta.title, 0, PLAYERS, TOKEN, reply=ADDRESS)
    since = tuple(kit.tell(kit.redact(event, 0), place.players) for event in turn.events[-4:])
    words = message_id(HOUSE.host, GAME, 12, 0, "over")
    seen = kit.view(bids, turn.state, 0)
    table = TableView(since, bids.board(seen, PLAYERS), NOTE, picture.png(bids.picture(seen, PLAYERS)))
    return Over(words, place, table, ended.places, ended.points, kit.ending(bids, ended), ended.out)


def over_by_mail() -> Over:
    """Some of its moves came by mail."""
    first, _, third = over().place.players[:3]
    return replace(over(), unsigned=(first, first, third))


def moved_deadline() -> Rescheduled:
    words, own = message_id(HOUSE.host, GAME, 12, 0, "time.n4"), NOW + timedelta(days=9)
    return Rescheduled(
        words, pig_place(), NOTE, NOW, own + timedelta(hours=12), timedelta(hours=12), ("weekend", "pause")
    )


def cancelled() -> Cancelled:
    return Cancelled(message_id(HOUSE.host, GAME, 3, 0, "cancelled"), pig_place())


def unstarted() -> Cancelled:
    return replace(cancelled(), reason="unstarted")


SAMPLES = {
    "login": login,
    "started": started,
    "turn": your_turn,
    "first_bid": first_bid,
    "answerable": answerable,
    "answerable_unsigned": answerable_unsigned,
    "talked": talked,
    "answer": answer,
    "answer_said": answer_said,
    "answer_planned": answer_planned,
    "answer_unread": answer_unread,
    "answer_left": answer_left,
    "unproven": unproven,
    "reminder": reminder,
    "others_seats": others_seats,
    "absent_turn": absent_turn,
    "absent": absent,
    "offered": offered,
    "taken": taken,
    "over": over,
    "over_by_mail": over_by_mail,
    "cancelled": cancelled,
    "unstarted": unstarted,
    "invited": invited,
    "rematch": lambda: replace(invited(), again=True),
    **{f"notice_{kind}": partial(notice, kind) for kind in NOTICES},
    "digest": digest,
    "digest_of_news": digest_of_news,
    "paused": paused,
    "paused_gone": paused_gone,
    "waiting_device": waits_for_device,
    "waiting_address": waits_for_address,
    "time": moved_deadline,
    "holiday": holiday,
    "confirm": confirm,
}


BERLIN = replace(ADA, zone="Europe/Berlin")
READERS = {"invited": Reader("", "new@example.org"), "digest": BERLIN, "reminder": BERLIN}


def letter(name: str) -> EmailMessage:
    return compose(HOUSE, READERS.get(name, ADA), SAMPLES[name]())


def readable(mail: EmailMessage) -> str:
    """The headers as they go over the wire, and both bodies as a person sees them."""
    heads = mail.as_bytes().partition(b"\r\n\r\n")[0].decode("ascii") + "\n"
    text = mail.get_body(("plain",)).get_content()
    page = mail.get_body(("html",)).get_content()
    return re.sub(r"[ \t]+\n", "\n", f"{heads}\n{text}\n{'=' * 30} HTML\n{page}".replace("\r\n", "\n"))


def main() -> None:
    for name in SAMPLES:
        (MAILS / f"{name}.txt").write_text(readable(letter(name)), "utf-8")


if __name__ == "__main__":
    main()
