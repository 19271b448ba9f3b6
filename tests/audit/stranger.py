"""Judge a file with the verifier of tests/stranger: `python -m tests.audit.stranger FILE` prints its report as JSON."""

import json
import sys
from pathlib import Path

from tests.stranger.judge import judge

CODES = {"holds": 0, "fails": 1, "unknown": 2, "open": 3}


def main(arguments):
    if not 1 <= len(arguments) <= 2:
        sys.stderr.write("python -m tests.audit.stranger FILE [TEXT WITH A NOTE]\n")
        return 2
    kept = Path(arguments[1]).read_bytes().decode("utf-8", "replace") if len(arguments) == 2 else None
    report = judge(Path(arguments[0]).read_bytes(), kept)
    sys.stdout.write(json.dumps(report, indent=1) + "\n")
    return CODES[report["verdict"]]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
