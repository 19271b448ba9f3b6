"""Bots: accounts of programs, each with a person who is responsible for it."""
