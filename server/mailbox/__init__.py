"""What a person chose about mail, and what follows from it."""
