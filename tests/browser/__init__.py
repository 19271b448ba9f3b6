"""The pages as a person meets them: a real Chromium against a real house; and the laws of their scripts, in node."""
