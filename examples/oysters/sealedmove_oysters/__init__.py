"""Oysters: lay oysters face down, announce how many pearls you can open, and beware of the crabs."""

from sealedmove_oysters.rules import game

__all__ = ["game"]
