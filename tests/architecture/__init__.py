"""Laws of the project that no linter checks."""
