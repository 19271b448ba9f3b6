"""Sections 6 to 9: secrets, the chain of draw keys, entropy, draws, seals, and hashes of states."""

from tests.stranger.lines import D, H, K, M, u32, u64, unbase, write


def secret_of(master, r):
    return M(master, D("master") + r)


def server_seed(master, number):
    return M(master, D("server") + u64(number) + u64(0))


def link(d, key):
    """L(d-1) from L(d)."""
    return H(D("link") + u64(d) + key)


def back(key, d, steps):
    """L(d - steps) from L(d)."""
    for number in range(d, d - steps, -1):
        key = link(number, key)
    return key


def chain(secret, draws, d=0):
    """L(d) of a game with this secret and N = draws."""
    return back(K(secret, "chain", draws, 0), draws, draws - d)


def hidden_key(secret, d):
    return K(secret, "hidden", d, 0)


def entropy(first_hash, people):
    """E, from the hash of entry 0 and kid | nonce of each seat that no bot plays."""
    return H(D("entropy") + first_hash + b"".join(sorted(people)))


def draw(key, mixed, d, n):
    """The result of draw d from n possibilities."""
    return draw_and_count(key, mixed, d, n)[0]


def draw_and_count(key, mixed, d, n):
    """The result, and how many bytes of the stream it took."""
    if n == 1:
        return 0, 0
    wide = ((n - 1).bit_length() + 7) // 8
    space = 256**wide
    stream, block, words = b"", 0, 0
    while True:
        while len(stream) < wide:
            stream += M(key, D("draw") + mixed + u64(d) + u32(block))
            block += 1
        word, stream = int.from_bytes(stream[:wide], "big"), stream[wide:]
        words += 1
        if word < space - space % n:
            return word % n, words * wide


def seal(secret, seq, i, events):
    return H(D("seal") + K(secret, "seal", seq, i) + write(events).encode("ascii"))


def state_hash(state, salt=bytes(32)):
    return H(D("state") + salt + write(state).encode("ascii"))


def sealed(text):
    """What a player signs in place of the text of a hidden move."""
    return H(D("move") + text)


def shown(draws, last, last_key, mixed, most):
    """Why the `draws` of an entry do not follow after draw `last` with key L(last); None if they do."""
    first, got, key = draws["first"], draws["got"], unbase(draws["key"])
    end = first + len(got) - 1
    if first != last + 1:
        return f"draw {first} after draw {last}"
    if end > most:
        return f"draw {end} of {most}"
    keys = [key]
    for d in range(end, first - 1, -1):
        keys.append(link(d, keys[-1]))
    if keys.pop() != last_key:
        return "the key does not hash back"
    for d, (n, result) in zip(range(end, first - 1, -1), reversed(got), strict=True):
        if draw(keys[end - d], mixed, d, n) != result:
            return f"draw {d} gives another result"
    return None
