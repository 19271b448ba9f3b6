"""A second copy is forgiven only for a trouble that happened while what it repeats waited for its record."""

from __future__ import annotations

import pytest

from tests.chaos.diary import TO_ARRIVE, TO_RECORD, TO_SEND, WRONG_CLOCK, Copy, Diary, Trouble, copies

MOST = {"worker": 1, "relay": 2, "disk": 1, WRONG_CLOCK: 9}
NORTH, LATER = Trouble("worker", 100, 101, "north"), Trouble("worker", 400, 401, "south")


def check(arrived: list[tuple[str, float]], *troubles: Trouble) -> None:
    Diary(list(troubles)).check(copies(arrived), MOST)


def test_what_came_once_needs_no_trouble():
    check([("one", 1), ("two", 2)])


@pytest.mark.parametrize("accepted", [100 - TO_RECORD, 99, 101, 101 + TO_ARRIVE])
def test_a_kill_explains_the_mail_that_was_not_recorded_yet(accepted):
    """It was accepted shortly before, or was on its way; the copy may come much later, when its lease has ended."""
    check([("one", accepted), ("one", 900)], NORTH)


@pytest.mark.parametrize("accepted", [99 - TO_RECORD, 102 + TO_ARRIVE])
def test_a_kill_explains_no_mail_that_was_recorded_or_not_yet_sent(accepted):
    with pytest.raises(AssertionError, match="no trouble explains"):
        check([("one", accepted), ("one", 900)], NORTH)


def test_a_copy_without_any_trouble_fails():
    with pytest.raises(AssertionError, match="no trouble explains"):
        check([("one", 99), ("one", 100)])


def test_a_copy_before_the_trouble_fails():
    with pytest.raises(AssertionError, match="no trouble explains"):
        check([("one", 98), ("one", 99)], NORTH)


def test_a_kill_of_another_program_explains_nothing():
    with pytest.raises(AssertionError, match="no trouble explains"):
        check([("one", 99), ("one", 900)], Trouble("web", 100, 101, "north"))


def test_a_kill_explains_one_mail_only():
    with pytest.raises(AssertionError, match="two, again after"):
        check([("one", 98), ("two", 99), ("one", 900), ("two", 901)], NORTH)


def test_a_third_copy_needs_a_trouble_of_its_own():
    came_thrice = [("one", 99), ("one", 399), ("one", 900)]
    check(came_thrice, NORTH, LATER)
    with pytest.raises(AssertionError, match="one, again after 501"):
        check(came_thrice, NORTH)


def test_each_copy_gets_a_trouble_if_there_is_any_way():
    """The first copy could have either; the second one only the first."""
    early, late = Trouble("worker", 100, 101), Trouble("worker", 104, 105)
    check([("one", 98), ("two", 93), ("one", 900), ("two", 901)], early, late)
    check([("two", 93), ("one", 98), ("one", 900), ("two", 901)], late, early)


def test_a_lasting_trouble_explains_what_came_in_its_time_up_to_its_number():
    relay = Trouble("relay", 100, 160)
    check([("one", 130), ("two", 140), ("one", 141), ("two", 150)], relay)
    with pytest.raises(AssertionError, match="three, again after"):
        check([(name, at) for at in (130, 170) for name in ("one", "two", "three")], relay)


def test_a_wrong_clock_explains_what_was_on_its_way_and_came_twice_in_its_time_or_soon_after():
    jump = Trouble(WRONG_CLOCK, 100, 160, names=frozenset({"one", "two"}))
    check([("one", 130), ("two", 131), ("one", 132), ("two", 160 + TO_SEND)], jump)
    check([("one", 159 + TO_SEND), ("one", 160 + TO_SEND)], jump)  # both processes were slow
    for name, again in (("three", 132), ("one", 161 + TO_SEND)):
        with pytest.raises(AssertionError, match=f"{name}, again after"):
            check([(name, 130), (name, again)], jump)


def test_what_was_accepted_without_a_record_needs_a_trouble_though_no_copy_came():
    """As a notification that was no longer true when it would have been sent again."""
    Diary([NORTH]).check([Copy("one", 99)], MOST)
    with pytest.raises(AssertionError, match="no trouble explains"):
        Diary([NORTH]).check([Copy("one", 200)], MOST)


def test_a_failure_tells_the_copy_and_the_troubles_around_it():
    """With seconds from the acceptance; nothing of what happened long before or after."""
    far = Trouble("disk", 300, 301, "south")
    with pytest.raises(AssertionError) as told:
        check([("one", 80), ("one", 130)], NORTH, far)
    assert str(told.value).splitlines()[1:3] == ["one, again after 50.0 s", "     20.0 to 21.0: worker north"]
    assert "disk" not in str(told.value)


def test_a_trouble_is_noted_with_its_begin_and_its_end():
    diary = Diary()
    with diary.during("disk", "north"):
        assert not diary.troubles
    (noted,) = diary.troubles
    assert (noted.what, noted.whose) == ("disk", "north")
    assert noted.begun <= noted.over
