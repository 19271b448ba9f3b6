"""Web push: notifications for the devices that asked for them, beside mails and by the same decision."""
