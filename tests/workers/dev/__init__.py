"""The house on one machine."""
