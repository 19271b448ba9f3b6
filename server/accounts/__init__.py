"""Who somebody is here: signing in, sessions, tokens, what waits for seven days, and the ways out."""
