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
from server.web.trouble import problem_page

__all__ = [
    "account", "blueprint", "calendar", "compare", "docs", "game", "guide", "home", "login", "mail", "onward",
    "problem_page", "problems", "tables", "tokens", "unsubscribe", "waiting",
]  # fmt: skip
