"""Analyses of finished games: requested once, made by a worker, and shown to everyone (`engine/analysis`)."""
