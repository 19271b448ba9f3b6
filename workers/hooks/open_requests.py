"""The open requests of a process, so that no receiver takes all places."""

from __future__ import annotations

from typing import Any

from workers.hooks.delivery_policy import DeliveryPolicy


class OpenRequests:
    """The open requests of this process, counted by webhook and by host."""

    def __init__(self, policy: DeliveryPolicy) -> None:
        self._pace = policy
        self.hooks: dict[int, int] = {}
        self.hosts: dict[str, int] = {}

    def take(self, hook_id: int, host: str, *, failing: bool) -> bool:
        """Take a place for one more request; returns whether there was one."""
        most = 1 if failing else self._pace.most_of_hook
        full = self.hooks.get(hook_id, 0) >= most or self.hosts.get(host, 0) >= self._pace.most_of_host
        if full or self.count >= self._pace.most:
            return False
        self.hooks[hook_id] = self.hooks.get(hook_id, 0) + 1
        self.hosts[host] = self.hosts.get(host, 0) + 1
        return True

    def free(self, hook_id: int, host: str) -> None:
        _less(self.hooks, hook_id)
        _less(self.hosts, host)

    @property
    def count(self) -> int:
        return sum(self.hooks.values())

    def full(self) -> tuple[list[int], list[str]]:
        """Webhooks and hosts that are at their limit, so that their rows do not hide others."""
        hooks = [hook for hook, count in self.hooks.items() if count >= self._pace.most_of_hook]
        return hooks, [host for host, count in self.hosts.items() if count >= self._pace.most_of_host]


def _less(counts: dict[Any, int], key: Any) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
