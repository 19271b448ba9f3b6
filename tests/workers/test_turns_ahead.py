"""The other players to move, and the next ones, as a turn mail names them."""

from __future__ import annotations

import pytest


@pytest.fixture
def database_url(tmp_path):
    """The text is computed from the position, on any database."""
    return f"sqlite:///{tmp_path / 'house.db'}"


def said(house, sink, name: str) -> str:
    house.react()
    *_, mail = (one for one in sink.mails if one["To"].addresses[0].username == name)
    return " ".join(mail.get_body(("plain",)).get_content().split())


def test_a_mail_names_players_who_move_at_the_same_time(house, sink):
    """And those who still owe a bid after the reader's; the last bid reveals all, so the next player is not known."""
    game = house.game("bids", seats=3)
    text = said(house, sink, "ada")
    assert "Also to move now: Ben and Cy." in text
    assert "Probably to move after you: Ben and Cy." in text
    house.move(game, 1, "bid 2")
    house.move(game, 2, "bid 2")
    house.pass_time(days=3)
    from workers.deadlines import remind

    remind(house.ctx)
    text = said(house, sink, "ada")
    assert "Also to move now" not in text
    assert "Probably to move after you" not in text


def test_a_mail_does_not_name_the_next_player_if_a_die_decides(house, sink):
    """After a roll it may still be the same player's turn."""
    house.game()
    assert "Probably to move after you" not in said(house, sink, "ada")
