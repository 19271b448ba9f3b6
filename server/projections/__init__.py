"""What is shown, read from entries and rows: pure looks, nothing is written."""
