"""The record of a game, byte by byte: what is written, signed, sealed and committed to. See README.md."""
