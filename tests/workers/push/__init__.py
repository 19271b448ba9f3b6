"""Notifications, from the outbox to the push service and back to their text."""
