"""A finished game judged by its own players; `README.md` is the law."""
