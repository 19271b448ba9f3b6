"""Web push: notifications of a browser, or of the installed app, on a device that asked for them."""
