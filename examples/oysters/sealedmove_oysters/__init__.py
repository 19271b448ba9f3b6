"""Oysters: everyone lays oysters face down, one player announces how many pearls they can open, and one crab ends it."""

from sealedmove_oysters.rules import game

__all__ = ["game"]
