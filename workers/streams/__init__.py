"""The process `events`: it holds the streams that the web server hands over (`server.kernel.streams`)."""
