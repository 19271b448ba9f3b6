"""Games with players that break their contract; no suite tries them."""
