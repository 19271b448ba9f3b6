"""The table talk on a game's page in a real Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import axe, hands
from tests.kit.patience import until

AT_ONCE = "() => dispatchEvent(new Event('online'))"  # ends the pause before the script looks again


@pytest.mark.slow
def test_a_message_appears_without_a_reload_is_seen_and_answered(site, visit, tmp_path):
    """What the reader is typing stays."""
    ada, ben = site.person("Ada"), site.person("Ben")
    game = hands.table(ada, "pig", 2)
    for person in (ada, ben):
        hands.program(person, game, tmp_path).join()
    page = visit(ada, width=360, height=740)
    page.goto(f"{site.url}/games/{game}")
    page.get_by_role("tab", name="Table").click()
    field = page.get_by_label("Write to the table")
    field.fill("Thanks,")
    ben.session.api.post(f"/v1/games/{game}/talk", {"text": "Good luck!"})
    page.evaluate(AT_ONCE)
    expect(page.get_by_text("Good luck!")).to_be_visible()
    expect(field).to_have_value("Thanks,")
    until(lambda: talk(ada, game)["seen"] == 1)
    field.press_sequentially(" Ben.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Thanks, Ben.")).to_be_visible()
    assert [one["text"] for one in talk(ben, game)["messages"]] == ["Good luck!", "Thanks, Ben."]
    assert page.evaluate("document.documentElement.scrollWidth") == 360


RENEWED = """async () => {
  const { renew } = await import('/static/turn/fresh.js');
  const page = (is) => new DOMParser().parseFromString(`<main><ol id="said" data-live><li class="${is}">
    <button>Mute</button><input id="why"><input id="days" value="3"></li></ol></main>`, 'text/html');
  document.body.append(page('new').querySelector('main'));
  const why = document.getElementById('why');
  why.value = 'Rude';
  why.focus();
  renew(document.body, page('seen'));
  const now = document.getElementById('why');
  return [now !== why, now.value, document.activeElement === now, document.getElementById('days').value];
}"""


@pytest.mark.slow
def test_a_report_that_is_being_typed_stays_when_the_page_is_renewed(site, visit):
    """With the focus. A message that has been seen is drawn differently at the next entry of the game."""
    page = visit()
    page.goto(f"{site.url}/login")
    assert page.evaluate(RENEWED) == [True, "Rude", True, "3"]


@pytest.mark.slow
def test_the_tab_shows_how_many_messages_are_new(site, visit, tmp_path):
    """Its name too; the mark comes without a reload, and goes when the messages have been seen."""
    ada, ben = site.person("Ada"), site.person("Ben")
    game = hands.table(ada, "livingstone", 2)
    for person in (ada, ben):
        hands.program(person, game, tmp_path).join()
    page = visit(ada, width=360, height=740)
    page.goto(f"{site.url}/games/{game}")
    expect(page.get_by_role("tab", name="Table", exact=True)).to_be_visible()
    for text in ("Good luck!", "Look at the gems."):
        ben.session.api.post(f"/v1/games/{game}/talk", {"text": text})
    page.evaluate(AT_ONCE)
    tab = page.get_by_role("tab", name="Table, 2 new messages", exact=True)
    expect(tab).to_be_visible()
    assert axe.findings(page) == []
    tab.click()
    expect(page.get_by_text("Look at the gems.")).to_be_in_viewport()
    expect(page.get_by_role("tab", name="Table", exact=True)).to_be_visible()
    assert talk(ada, game)["seen"] == 2


@pytest.mark.slow
def test_the_tab_shows_a_wish_that_waits_for_the_reader(site, visit, tmp_path):
    """Not to its author. The form below names the players who have agreed."""
    ada, ben = site.person("Ada"), site.person("Ben")
    game = hands.table(ada, "pig", 2)
    for person in (ada, ben):
        hands.program(person, game, tmp_path).join()
    ben.session.api.put(f"/v1/games/{game}/consents/cancel", {}, {})
    for person, name in ((ada, "Table, a wish to cancel the game"), (ben, "Table")):
        page = visit(person)
        page.goto(f"{site.url}/games/{game}")
        page.get_by_role("tab", name=name, exact=True).click()
        expect(page.get_by_text("Ben agreed to cancel the game.")).to_be_visible(visible=person is ada)


def talk(person, game):
    return person.session.api.get(f"/v1/games/{game}/talk").value
