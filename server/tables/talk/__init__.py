"""Table talk among those who hold seats, and private notes."""
