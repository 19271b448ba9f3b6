"""Guests: people who play against house players before they have given an address."""
