"""What programs hear: webhooks and streams of events."""
