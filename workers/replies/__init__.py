"""Mail that comes in: who may be believed, what was typed, what becomes of it."""
