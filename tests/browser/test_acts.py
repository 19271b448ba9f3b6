"""Acts signed in a real browser: whole games beside the reference client, and what happens when the way there fails."""

from __future__ import annotations

import pytest

from engine import registry
from engine.record.audit import audit
from tests.browser.hands import hand, program, table

registry.search("tests.kit.games")
ROLL, HOLD = {"do": "roll"}, {"do": "hold"}


@pytest.fixture
def seated(site, visit, tmp_path):
    """Ann in a browser and Ben by the reference client, at a table of Pig, with Ann to begin or not."""

    def seated(key="pig", **chosen):
        ann, ben = site.person("Ann"), site.person("Ben")
        game = table(ann, key, **chosen)
        ann = hand(visit(ann), ann, game)
        ann.do("join", 0)
        ben = program(ben, game, tmp_path)
        ben.join(1)
        return ann, ben

    return seated


@pytest.mark.parametrize("key", ["pig", "bids"])
def test_a_whole_game(seated, site, key):
    """An open and a hidden game to their end, each act checked by both; the bundle holds."""
    ann, ben = seated(key)
    while ann.do("check")["stage"] == "running":
        mine = ann.person.session.api.get(f"/v1/games/{ann.game}/legal").value
        if mine:
            ann.move(mine[-1]["command"])
        elif (legal := ben.legal()) and ben.wait():
            ben.move([legal[-1]["command"]])
    assert ann.do("check")["seat"] == 0
    report = audit(ben.bundle())
    assert (report.verdict, report.stage) == ("holds", "finished")
