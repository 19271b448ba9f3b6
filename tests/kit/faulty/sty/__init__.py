"""Pig with players that fail in every way."""

from msgspec.structs import replace

from tests.kit.games.pig import Pig


class Sty(Pig):
    meta = replace(Pig.meta, key="sty")


game = Sty()
