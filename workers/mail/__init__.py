"""Mail to players: pure letters from facts, and the shell that loads the facts and hands the letters to SMTP."""
