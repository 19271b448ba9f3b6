"""Mail settings, and what follows from them."""
