"""Events for programs: webhooks and streams."""
