"""Bytes: one spelling for each value, and the exact members of an object."""
