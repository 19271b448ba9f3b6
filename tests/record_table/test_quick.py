"""The quick reader of JSON agrees with the slow one, which follows the specification."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadRecord
from engine.record.encoding import canonical

SEEDS = (b'{"a":[1,-2,{"b":null}],"c":"x:1.0","d":true}', b"[-0]", b"[1e5,1.0]", b"9007199254740992", b'{"a":1,"a":1}')
LETTERS = b'0123456789.eE-+:,[]{}"atruenl\\ \xc3'


def answers(data):
    found = []
    for read in (canonical.loads, canonical.loads_sent):
        try:
            found.append(repr(read(data)))
        except BadRecord as bad:
            found.append(bad.code)
    return found


@given(seed=st.sampled_from(SEEDS), at=st.integers(0, 50), put=st.lists(st.sampled_from(LETTERS), max_size=3))
def test_both_ways_agree_on_every_line(seed, at, put):
    """Both give the same value or code, on lines that are nearly valid."""
    data = seed[:at] + bytes(put) + seed[at + len(put) // 2 :]
    quick = answers(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canonical, "_quick", lambda _line, _encoder: canonical._UNSURE)
        assert answers(data) == quick
