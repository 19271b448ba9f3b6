"""Whether an entry follows from the table before it, check by check."""
