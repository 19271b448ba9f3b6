"""The checks that an entry must pass to follow from the table before it."""
