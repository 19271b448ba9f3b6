"""The pages in use: a real Chromium against a real server, and the laws of their scripts in node."""
