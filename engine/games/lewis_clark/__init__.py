"""Lewis & Clark: The Expedition."""
