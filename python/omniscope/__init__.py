"""Runs the program omniscope and reads what its runs wrote.

    omniscope.run(["eval", "omni-cloze", "-d", "omni_cloze.jsonl", "-p", "captions.jsonl", "--out", "runs/mine"])
    run = omniscope.load("runs/mine")

The program does the work; this module starts it without a shell, passes on what it says, and opens its files. It needs
Python's own library alone. Tables for pandas or pyarrow need those.
"""

from __future__ import annotations

from importlib import metadata as _metadata

from ._errors import (
    BudgetReached,
    Crashed,
    Error,
    Failed,
    Interrupted,
    InvalidFile,
    ProgramNotFound,
    TooManyFailures,
    Usage,
    Worse,
)
from ._program import find_program
from ._results import Records, Run, load
from ._run import Completed, run
from ._tables import tables

__all__ = [
    "BudgetReached",
    "Completed",
    "Crashed",
    "Error",
    "Failed",
    "Interrupted",
    "InvalidFile",
    "ProgramNotFound",
    "Records",
    "Run",
    "TooManyFailures",
    "Usage",
    "Worse",
    "find_program",
    "load",
    "run",
    "tables",
]

try:
    __version__ = _metadata.version("omniscope")
except _metadata.PackageNotFoundError:  # the module lies in a folder of sources
    __version__ = "unknown"
