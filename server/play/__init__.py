"""A seat's side of a game: its position, its acts, its draft, the page of a turn."""
