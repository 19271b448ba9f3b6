"""Reasons: the part of a judgement that is raised most, in a sentence."""

import pytest

from engine.players.parts import Part, mean, reason

SCORES, GOODS, QUEEN = "scores {amount} now", "gains goods worth about {amount}", "makes it less likely to be out"


@pytest.mark.parametrize(
    ("after", "says"),
    [
        ((Part(SCORES, 11.0), Part(GOODS, 4.0)), "It scores 6 points now."),
        ((Part(SCORES, 6.0), Part(GOODS, 4.0)), "It gains goods worth about 2 points."),
        ((Part(SCORES, 6.0), Part(GOODS, 4.4)), "It gains goods worth about 2 points."),
        ((Part(SCORES, 6.0), Part(GOODS, 2.0)), "It scores 1 point now."),
        ((Part(SCORES, 7.5), Part(GOODS, 2.0)), "It scores about 2 points now."),
        ((Part(SCORES, 5.4), Part(GOODS, 2.0)), "It scores about half a point now."),
        ((Part(SCORES, 5.1), Part(GOODS, 2.0)), ""),
        ((Part(SCORES, 0.0), Part(GOODS, 2.0)), ""),
        ((Part(SCORES, 5.0), Part(GOODS, 2.0), Part(QUEEN, 3.0)), "It makes it less likely to be out."),
    ],
)
def test_the_reason_is_the_part_that_is_raised_most(after, says):
    """With its amount, if anybody counts it; a part that is new was 0 before."""
    assert reason((Part(SCORES, 5.0), Part(GOODS, 2.0)), after) == says


def test_a_comparison_says_more_in_the_unit_of_the_game():
    before, after = (Part(GOODS, 2.0),), (Part(GOODS, 5.1),)
    assert reason(before, after, ("space", "spaces"), " more") == "It gains goods worth about 3 spaces more."


def test_a_part_that_was_a_loss_before_and_is_gone_is_raised():
    assert reason((Part(QUEEN, -4.0),), ()) == "It makes it less likely to be out."


def test_the_mean_counts_a_missing_part_as_nothing():
    """As when the game is over in one imagined world and not in another."""
    assert mean([(Part(SCORES, 4.0),), (Part(SCORES, 2.0), Part(GOODS, 2.0))]) == (Part(SCORES, 3.0), Part(GOODS, 1.0))
