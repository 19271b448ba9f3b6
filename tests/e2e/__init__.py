"""The whole system, as a person or another program uses it."""
