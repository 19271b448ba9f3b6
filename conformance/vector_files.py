"""The test vectors of the record, in the folder `vectors` beside this file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "vectors"


def load(name: str) -> Any:
    """The content of a vector file, by its name without `.json`."""
    return json.loads((FOLDER / f"{name}.json").read_text("ascii"))


def read(given: Any) -> bytes:
    """The bytes of an input as a vector file has it."""
    if isinstance(given, str):
        return given.encode("utf-8")
    if "hex" in given:
        return bytes.fromhex(given["hex"])
    return b"".join(text.encode() * times for text, times in given["parts"])
