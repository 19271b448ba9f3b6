"""Mail to players: facts are loaded from rows, composed into mails (pure), and sent by SMTP."""
