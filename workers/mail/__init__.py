"""Mail to players: pure letters from facts, and the shell that loads the facts and sends the letters by SMTP."""
