"""Reactions to logged entries: jobs, mails, clocks. Imports server and engine; nothing imports workers."""
