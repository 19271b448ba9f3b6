"""Games with players that do not do what players must; no suite searches here."""
