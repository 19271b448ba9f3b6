"""Reactions to what has been logged: jobs, mails, clocks. May import server and engine; nobody imports workers."""
