"""The house's laws that no linter knows."""
