"""What may go wrong, a class for each exit code of the program."""

from __future__ import annotations

import shlex
from typing import Dict, List, Optional, Type


class Error(Exception):
    """The program did not end with exit code 0.

    code is its exit code (negative: the signal that ended it), command its command line, message what it said of the
    error, stdout and stderr all that it printed.
    """

    def __init__(self, code: int, command: List[str], message: str, stdout: str = "", stderr: str = "") -> None:
        super().__init__(code, command, message, stdout, stderr)
        self.code = code
        self.command = command
        self.message = message
        self.stdout = stdout
        self.stderr = stderr

    def __str__(self) -> str:
        return f"{self.message} (exit code {self.code} of: {shlex.join(self.command)})"


class Failed(Error):
    """Exit code 1: bad input, no key, an endpoint that is away, a full disk."""


class Usage(Error):
    """Exit code 2: the command line is wrong."""


class TooManyFailures(Error):
    """Exit code 3: done and written, but the judging of more samples failed than allowed, or there is no score at all."""


class BudgetReached(Error):
    """Exit code 4: stopped by a limit of money, tokens or calls. The same command again goes on."""


class Worse(Error):
    """Exit code 5: compare --fail-if-worse found the second run worse than the first, beyond chance."""


class Interrupted(Error):
    """Exit code 130: interrupted. The same command again goes on."""


class Crashed(Error):
    """Any other end, such as a signal that the program did not expect. It is a fault of the program or of the machine."""


class ProgramNotFound(FileNotFoundError):
    """The program is not where an installation puts it."""


class InvalidFile(ValueError):
    """A file that a run wrote cannot be read. The message has the file, the line and the text."""


_BY_CODE: Dict[int, Type[Error]] = {1: Failed, 2: Usage, 3: TooManyFailures, 4: BudgetReached, 5: Worse, 130: Interrupted}

_SAYS = "omniscope: "  # before what the program says of an error


def error_of(code: int, command: List[str], stdout: str, stderr: str) -> Optional[Error]:
    """The exception for an exit code, None for 0."""
    if code == 0:
        return None
    said = stderr.rfind("\n" + _SAYS) + 1
    if not said and not stderr.startswith(_SAYS):  # without a word of its own, as Go programs that fail inside end with code 2
        last = stderr.strip().rsplit("\n", 1)[-1] or "it said nothing"
        return Crashed(code, command, last, stdout, stderr)
    message = stderr[said + len(_SAYS) :].strip()
    return _BY_CODE.get(code, Crashed)(code, command, message, stdout, stderr)
