"""Values derived from secrets: draws (section 7), seals (8), states (9), and a server's own keys (6)."""

from collections.abc import Iterable, Iterator

from tests.stranger.lines import D, H, Json, K, M, u32, u64, write


def secret_of(master: bytes, r: bytes) -> bytes:
    return M(master, D("master") + r)


def server_seed(master: bytes, number: int) -> bytes:
    return M(master, D("server") + u64(number) + u64(0))


def link(d: int, key: bytes) -> bytes:
    """L(d-1) of L(d)."""
    return H(D("link") + u64(d) + key)


def chain(secret: bytes, draws: int, d: int) -> bytes:
    """L(d) of a game with so many draws."""
    key = K(secret, "chain", draws, 0)
    for number in range(draws, d, -1):
        key = link(number, key)
    return key


def entropy(created: bytes, brought: Iterable[bytes]) -> bytes:
    """E from the hash of entry 0 and each person's thumbprint and nonce."""
    return H(D("entropy") + created + b"".join(sorted(brought)))


def draw(key: bytes, mixed: bytes, d: int, n: int) -> tuple[int, int]:
    """The result of draw d from n possibilities, and how many bytes of its stream were read."""
    if n == 1:
        return 0, 0
    width = ((n - 1).bit_length() + 7) // 8
    fair = 256**width - 256**width % n
    stream = _stream(key, mixed, d)
    read = 0
    while True:
        word = int.from_bytes(bytes(next(stream) for _ in range(width)), "big")
        read += width
        if word < fair:
            return word % n, read


def _stream(key: bytes, mixed: bytes, d: int) -> Iterator[int]:
    block = 0
    while True:
        yield from M(key, D("draw") + mixed + u64(d) + u32(block))
        block += 1


def seal(secret: bytes, seq: int, i: int, events: Json) -> bytes:
    return H(D("seal") + K(secret, "seal", seq, i) + write(events))


def state_hash(state: Json, salt: bytes) -> bytes:
    return H(D("state") + salt + write(state))


def keys_back(last: bytes, first: int, count: int) -> list[bytes]:
    """L(first - 1) and the keys of so many draws from `first` on, by the key of the last."""
    keys = [last]
    for d in range(first + count - 1, first - 1, -1):
        keys.append(link(d, keys[-1]))
    return keys[::-1]
