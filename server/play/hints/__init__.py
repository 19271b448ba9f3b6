"""Hints: what a house player would play for somebody at a table whose creator allows it, marked for everyone."""
