"""The process that holds streams, with the real web server before it."""
