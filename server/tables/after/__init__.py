"""What follows a game: a rematch, and cancelling a running one by consent of its players."""
