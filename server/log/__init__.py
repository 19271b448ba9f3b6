"""The log of a game: load its table, append the next entry and all that follows from it, in one transaction."""
