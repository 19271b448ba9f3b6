"""Bots: accounts of machines, each with a person who answers for it."""
