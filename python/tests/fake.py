"""A program that does what its first argument says, in place of omniscope."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import List


def lines(*texts: str) -> None:
    for text in texts:
        print(text, file=sys.stderr, flush=True)


def exits(code: str, *said: str) -> None:
    lines(*said)
    sys.exit(int(code))


def arguments(*given: str) -> None:
    print(json.dumps(given))


def around() -> None:
    """What a program gets beside its arguments."""
    variables = {"mine": os.environ.get("MINE"), "path": "PATH" in os.environ}
    print(json.dumps({"cwd": os.getcwd(), "stdin": sys.stdin.read(), **variables}))


def raw() -> None:
    sys.stdout.buffer.write("größe\r\n".encode() + b"\xff\n")
    lines("of the other output")


def much(size: str) -> None:
    """Fills both outputs, so that reading one after the other would never end."""
    for _ in range(int(size) // 1000):
        sys.stdout.write("o" * 1000)
        lines("e" * 999)


def waits_for(path: str) -> None:
    lines("waiting")
    while not os.path.exists(path):
        time.sleep(0.01)
    lines("seen")


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupted(times: str, path: str = "") -> None:
    """Ends after some interrupts, and a little later, so that one too many is noticed. It says how many came."""
    came: List[int] = []

    def take(number: int, frame: object) -> None:
        came.append(number)
        os.write(2, b"omniscope: ending; interrupt again to end at once\n")  # print may be interrupted by itself

    signal.signal(signal.SIGINT, take)
    lines("ready")
    while len(came) < int(times):
        time.sleep(0.01)
    time.sleep(0.4)
    if path:
        with open(path, "w") as file:
            file.write(str(len(came)))
    lines(f"omniscope: interrupted {len(came)} times; run the same command again")
    sys.exit(130)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
