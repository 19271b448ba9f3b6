"""The web process, and what all resources and pages share. It finds the rooms and imports none."""
