"""The processor time of an analysis: a game of fair players of each title, at the most seats (aim: a minute)."""

import random
import time

from engine import registry
from engine.analysis.turning import analyse
from engine.kit import count
from tests.engine.test_analysis import TITLES, Played

from .timing import heading, line


def main() -> None:
    heading("Analysis: processor time of a whole game (aim: 60 s)")
    for key in TITLES:
        seats = registry.find(key).meta.seats[1]
        data = Played(key, seed=5, seats=seats).play().bundle()
        began = time.process_time()
        found = analyse(data, random.Random)
        took = time.process_time() - began
        better = count(sum(len(point.better) for point in found.points), "better line")
        aside = f"{seats} seats, {found.decisions} decisions, {len(found.points)} turning points, {better}"
        line(f"{key}: analysis, s", f"{took:.1f}", aside)
