"""The house edition: 55 cards with values of our own, since no public source lists those of the printed cards.

It keeps what the sources do give: the groups by number, the species, points from 2 to 10, and single facts from the
rulebooks' examples. Everything else follows one scale, which tests/games/discoveries/test_house.py checks: what a tribe
gives agrees with the dice it needs, and the points of a discovery with the effort of its cheapest route.

A row: number, tribe, f(riendly) or w(ary), tipis | dice it needs, what it gives | routes, points or species, tipis.
`2walk` needs two dice, of which one stays; `walk+ride` has two spaces.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine.games.discoveries.cards import EFFECTS, SPECIES, Card, Edition

Plain = dict[str, Any]

TABLE = """
 1 Kansa       f 1 | walk        RR       | RM             2      0
 2 Osage       w 0 | any         RR       | MM RRRM        mammal 0
 3 Kickapoo    w 1 | ride        RRR      | RMM RRRRR      3      0
 4 Oto         f 1 | write       RRR      | RM             plant  0
 5 Missouri    f 1 | 2walk       RRRR     | MMR RRRM       2      1
 6 Omaha       w 1 | 2any        RRRR     | RRRM           bird   0
 7 Ponca       w 2 | walk+ride   RRRRR    | RRMR           5      0
 8 Pawnee      f 1 | ride        MM       | RRRRM          fish   0
 9 Cheyenne    w 2 | 2walk       MMM      | MMRR RMR       4      0
10 Mandan      f 2 | parley      MM       | MR RRRR        plant  0
11 Assiniboine w 1 | 2any        MMM      | RRMRR          6      0
12 Crow        w 2 | walk+ride   MMMM     | MMMRR RRMRR    5      1
13 Atsina      f 1 | walk+parley MMM      | RRMM           mammal 0
14 Shoshone    f 1 | ride        RR|M     | MR             2      0
15 Bannock     f 1 | any         R|M      | RRMMR          7      0
16 Palouse     f 2 | 2walk       RRR|MM   | RMM            plant  1
17 Cayuse      w 1 | 2any        RRR|MM   | MRR            3      0
18 Umatilla    f 1 | walk+parley RRRR|MM  | MRM            bird   0
19 Walla-Walla f 1 | walk+ride   RRR|MMM  | MRM RRRMM      4      1
20 Yakama      w 2 | ride+parley RRRR|MMM | RRM MMR        mammal 0
21 Wasco       w 0 | parley      RR|MM    | RRMMRR         8      0
22 Klickitat   f 1 | 2any        RRM      | RRM MRMRR      3      0
23 Skilloot    f 1 | 2walk       RRRM     | RRMR           fish   0
24 Watlala     w 1 | walk+ride   RRMM     | MRR            plant  0
25 Clackamas   w 2 | ride+parley RRRMM    | RRRMMRR        9      0
26 Kathlamet   f 0 | ride        RM       | MMM RRRR       2      0
27 Wahkiakum   w 0 | walk        MR       | MRRR           mammal 0
28 Chinook     f 2 | 2any        MRR      | RMRR           4      1
29 Chehalis    f 1 | 2walk       MRRR     | RMR            bird   0
30 Tillamook   w 1 | walk+parley MMRR     | RRRMMRRR       10     0
31 Kalapuya    w 2 | 3any        MMRRR    | RRM            plant  0
32 Clatsop     f 1 | walk        ~        | MMMM RRRM      4      0
33 Clatsop     w 1 | any         ~        | RMM            2      1
34 Tenino      f 2 | any         +R       | RRMMR MRMR     5      2
35 Multnomah   w 1 | walk        +RR      | RRMM           4      0
36 Nez-Perce   f 1 | any         +M       | RMMR           fish   0
37 Minnetaree  f 1 |                      | MMRMM          7      1
38 Minnetaree  w 2 |                      | MMMM           mammal 0
39 Yankton     f 1 | walk                 | RRRR           2      0
40 Yankton     f 1 | ride                 | MMM            plant  0
41 Yankton     w 1 | parley               | RMR RRRRM      4      0
42 Yankton     w 0 | write                | MRRRR          bird   0
43 Teton       w 1 | walk                 | RMMR           6      0
44 Teton       w 2 | ride                 | MRRRM          7      0
45 Teton       f 1 | parley               | MMR            3      0
46 Teton       f 2 | write                | RMR MMRR       mammal 1
47 Flathead    f 1 |                      | MMRRMM         8      1
48 Flathead    w 2 |                      | RRRRMM MRMM    5      1
49 Blackfeet   w 2 |                      | MMR RRRM       plant  1
50 Blackfeet   w 3 |                      | RRRMM RMRR     fish   0
51 Arikara     f 0 |                      | RMRM RRRMRR    7      0
52 Wishram     f 1 |                      | RRMM RMR       bird   0
53 Wishram     w 2 |                      | MRRR           3      1
54 Wanapum     f 1 |                      | RMMM RRMR      5      0
55 Wanapum     f 2 |                      | MRRRR          5      0
"""
NAMES = {"Walla-Walla": "Walla Walla", "Nez-Perce": "Nez Perce", "Yankton": "Yankton Sioux", "Teton": "Teton Sioux"}
ATTITUDES = {"f": "friendly", "w": "wary"}


def read(table: str) -> tuple[Card, ...]:
    """Read the cards of a table like TABLE; raises msgspec.ValidationError if a value is out of bounds."""
    return msgspec.convert([_card(line) for line in table.splitlines() if line.strip()], tuple[Card, ...])


def _card(line: str) -> Plain:
    """The card in the form of an edition file."""
    left, middle, right = (part.split() for part in line.split(" | "))
    number, *tribe = left
    return {"number": int(number), "tribe": _tribe(int(number), tribe, middle), "discovery": _discovery(right)}


def _tribe(number: int, left: list[str], middle: list[str]) -> Plain:
    name, attitude, tipis = left
    return {
        "name": NAMES.get(name, name),
        "attitude": ATTITUDES[attitude],
        "tipis": int(tipis),
        "effect": EFFECTS[number],
        "exploration": _exploration(*middle) if len(middle) == 2 else None,
        "face": middle[0] if len(middle) == 1 else None,
    }


def _exploration(needs: str, gives: str) -> Plain:
    return {"needs": [_need(word) for word in needs.split("+")], "gives": gives}


def _need(word: str) -> Plain:
    dice = int(word[0]) if word[0].isdigit() else 1
    return {"face": word.lstrip("23"), "dice": dice}


def _discovery(right: list[str]) -> Plain:
    *routes, worth, tipis = right
    found = {"species": worth, "points": 0} if worth in SPECIES else {"points": int(worth)}
    return {"routes": routes, "tipis": int(tipis), **found}


HOUSE = Edition(name="house", cards=read(TABLE))
