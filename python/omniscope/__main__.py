"""python -m omniscope: the program, with the same arguments and the same exit code."""

from __future__ import annotations

import os
import subprocess
import sys

from ._errors import ProgramNotFound
from ._program import find_program


def main() -> int:
    try:
        program = os.fspath(find_program())
    except ProgramNotFound as missing:
        print("omniscope:", missing, file=sys.stderr)
        return 1
    command = [program, *sys.argv[1:]]
    if sys.platform != "win32":
        os.execv(program, command)  # the program takes this process's place, signals and terminal included
    child = subprocess.Popen(command)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            pass  # the program was told as well, and ends in its own way


if __name__ == "__main__":
    sys.exit(main())
