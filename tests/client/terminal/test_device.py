"""`sealedmove login --device`: a code in the terminal, typed into a browser."""

import re

import pytest

from tests.servers import patient

pytestmark = pytest.mark.slow  # needs a running server

OWN = {"Sec-Fetch-Site": "same-origin"}


class Browser:
    """A browser in which this person is signed in."""

    def __init__(self, person):
        self.url, self.http = person.house.url, patient.client(headers=OWN)
        self.sends("/login", email=person.email)
        self.sends(person.link().removeprefix(self.url), name=person.name)

    def sends(self, path, **form):
        answer = self.http.post(self.url + path, data=form)
        assert answer.status_code < 400, answer.text
        return answer.text


@pytest.fixture
def browser(person):
    ada = person("ada")
    made = Browser(ada)
    yield ada, made
    made.http.close()


def code_of(terminal):
    return re.search(r"[A-Z]{4}-[A-Z]{4}", terminal.reads("within ten minutes"))[0]


def test_a_person_signs_in_by_a_code_and_sits_down(browser):
    """The page says which program asks; the machine has a registered key and joins a table with it."""
    ada, page = browser
    with ada.at_terminal("login", "--device", "--at", ada.house.url) as terminal:
        code = code_of(terminal)
        assert "sealedmove on" in page.sends("/device", code=code)
        page.sends("/device/answer", code=code, scopes=["read", "play", "account"], days="90", do="allow")
        terminal.reads("Welcome, ada. You are signed in")
        assert terminal.leaves() == 0
    game = ada.does("new", "pig", "--seats", 2)["game"]
    assert ada.does("show", game)["seat"] == 0


def test_a_denied_code_signs_nobody_in(browser):
    ada, page = browser
    with ada.at_terminal("login", "--device", "--at", ada.house.url) as terminal:
        page.sends("/device/answer", code=code_of(terminal), do="deny")
        terminal.reads("The request was denied. (access_denied)")
        assert terminal.leaves() == 1
    assert ada.runs("games").problem["code"] == "nobody"


def test_a_code_needs_no_address(person):
    said = person("ada").runs("login", "ada@players.example", "--device", "--at", "https://games.example")
    assert (said.exit, said.problem["code"]) == (2, "usage")
