"""For operators: starting the server, watching it, and decisions that it cannot make itself."""
