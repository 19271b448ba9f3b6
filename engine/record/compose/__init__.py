"""Entries as a server writes them: the engine's decision, the commitments over it, the line."""
