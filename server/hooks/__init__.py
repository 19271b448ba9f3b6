"""How programs hear of events: webhooks and streams."""
