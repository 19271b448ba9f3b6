"""Options and times in words, checked against the schemas of the games."""

import msgspec
import pytest

from client import table_options, tables, terminal
from client.advice import advice
from client.commands.base import DISTRUSTED, NO_ANSWER, NOT_SIGNED, REFUSED, problem_of
from client.errors import DistrustError, HeldUpError
from client.http import ApiError, NoAnswerError
from engine import registry
from engine.errors import Refused


def schema(key):
    """As from the server: one object with its definitions, without the edition."""
    made = msgspec.json.schema(registry.find(key).meta.options)
    definitions = made.pop("$defs", {})
    top = definitions.pop(made["$ref"].rpartition("/")[2])
    top.get("properties", {}).pop("edition", None)
    return top | {"$defs": definitions}


@pytest.mark.parametrize(
    ("key", "words", "meant"),
    [
        ("tikal", [], {}),
        ("tikal", ["auction"], {"variant": "auction"}),
        ("tikal", ["auction", "open"], {"variant": "auction", "bidding": "open"}),
        ("tikal", ["var=auction"], {"variant": "auction"}),
        ("lewis_clark", ["level=3"], {"level": 3}),
        ("lewis_clark", ["start_over", "no-face"], {"start_over": True, "face_down_badges": False}),
        ("lewis_clark", ["start_over=no", "covered=hidden"], {"start_over": False, "covered": "hidden"}),
        ("discoveries", ["first"], {"first_game": True}),
    ],
)
def test_options_in_words(key, words, meant):
    """By value, by name and value, or by name for yes or no; names may be abbreviated."""
    assert table_options.options(schema(key), words) == meant


@pytest.mark.parametrize(
    ("key", "words", "says"),
    [
        ("tikal", ["acution"], "did you mean auction?"),
        ("tikal", ["variant=open"], "variant must be one of auction, basic, not 'open'"),
        ("tikal", ["auction", "basic"], "variant is given twice"),
        ("tikal", ["colour=red"], "there is no option 'colour'; there are variant, bidding"),
        ("lewis_clark", ["level=9"], "level: 9 is greater than the maximum of 7"),
        ("lewis_clark", ["level=high"], "level must be a number from 0 to 7, not 'high'"),
        ("lewis_clark", ["start_over=perhaps"], "start_over must be yes or no"),
        ("livingstone", ["fast"], "this game has none"),
    ],
)
def test_unknown_options_are_refused(key, words, says):
    """The refusal lists the valid ones."""
    with pytest.raises(Refused) as caught:
        table_options.options(schema(key), words)
    assert caught.value.code == "bad-options"
    assert says in caught.value.facts["says"]


def test_every_option_is_listed():
    """With its values and its default."""
    assert table_options.option_rows(schema("tikal")) == [
        ("variant", "auction or basic", "basic"),
        ("bidding", "open or sealed", "sealed"),
    ]
    assert ("level", "a number from 0 to 7", "0") in table_options.option_rows(schema("lewis_clark"))


@pytest.mark.parametrize(
    ("text", "seconds"), [("3d", 259200), ("1d 12h", 129600), ("90 minutes", 5400), ("45", 45), ("2w", 1209600)]
)
def test_times_in_usual_units_are_read(text, seconds):
    assert table_options.seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "3 apples", "-1", "3d soon", "d"])
def test_invalid_times_are_refused_with_examples(text):
    with pytest.raises(Refused, match="bad-time"):
        table_options.seconds(text)


def test_levels_of_house_players_take_the_last_seats():
    assert table_options.last_seats(table_options.levels("easy, Fair"), 4, 1) == {2: "easy", 3: "fair"}
    assert table_options.last_seats(table_options.levels(None), 4, 1) == {}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("easy,,fair", "'' is not a level: write for example easy,fair"),
        ("very strong", "'very strong' is not a level: write for example easy,fair"),
        ("easy,easy", "2 levels for 1 free seat: name at most 1, or add seats"),
    ],
)
def test_levels_that_do_not_fit_are_refused(words, says):
    with pytest.raises(Refused) as caught:
        table_options.last_seats(table_options.levels(words), 2, 1)
    assert (caught.value.code, caught.value.facts["says"]) == ("bad-options", says)


def test_names_cannot_contain_control_sequences():
    """Names and texts of others lose all unprintable characters, on boards and in lists."""
    game = {"seats": [{"name": name, "bot": False} for name in ("A\x1b[2Jda\x07", "\u202e", None)]}
    assert tables.names(game) == ("A[2Jda", "Seat 2", "Seat 3")
    pig = registry.find("pig")
    assert "\x1b" not in terminal.board(pig, "Ada\x1b[31m: 3", ("Ada",)).plain


def test_a_bot_is_marked_at_a_terminal_too():
    """On boards, in sentences and in lists, with the same word as on pages and in mails."""
    seats = [{"name": "York", "bot": True}, {"name": "Ada", "bot": False}, {"name": None, "bot": True}]
    game = {"seats": seats, "status": "running", "active": [0, 1]}
    assert tables.names(game) == ("York (bot)", "Ada", "Seat 3 (bot)")
    assert tables.sat(game) == "York (bot), Ada, -"
    assert tables.turn_words(game) == "York (bot) and Ada"


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (ApiError(409, "stale-head", {"detail": "others were quicker"}), "stale-head", REFUSED),
        (ApiError(500, "internal-error", {}), "internal-error", REFUSED),
        (NoAnswerError("lost"), "no-answer", NO_ANSWER),
        (DistrustError("fork", "two histories"), "fork", DISTRUSTED),
        (HeldUpError("it lacks entries"), "lines-missing", NOT_SIGNED),
    ],
)
def test_every_error_has_a_code_and_advice(error, code, status):
    """And an exit status by its kind."""
    told = problem_of(error)
    assert (told.value["code"], told.exit) == (code, status)
    assert told.value["says"]
    assert told.value["do"]


def test_a_bug_is_not_shown_as_a_refusal():
    """An unexpected exception has no message for people."""
    assert problem_of(ValueError("ours")) is None


def test_an_unknown_code_has_advice_by_its_status():
    assert advice("nobody-knows-this", 500) != advice("nobody-knows-this", 409)
    assert advice("nobody-knows-this", 400)
