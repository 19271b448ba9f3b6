"""A few pages for people, over the same use cases and read models as the API. `blueprint` holds them all."""

from server.web import (
    account,
    calendar,
    compare,
    docs,
    game,
    guide,
    home,
    login,
    mail,
    onward,
    problems,
    tables,
    tokens,
    unsubscribe,
    waiting,
)
from server.web.house import blueprint

__all__ = [
    "account", "blueprint", "calendar", "compare", "docs", "game", "guide", "home", "login", "mail", "onward",
    "problems", "tables", "tokens", "unsubscribe", "waiting",
]  # fmt: skip
