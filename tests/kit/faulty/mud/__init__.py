"""Pig with players that never answer."""

from msgspec.structs import replace

from tests.kit.games.pig import Pig


class Mud(Pig):
    meta = replace(Pig.meta, key="mud")


game = Mud()
