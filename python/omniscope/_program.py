"""Where the program is that came with this module."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from typing import Iterator, List

from ._errors import ProgramNotFound

NAME = "omniscope.exe" if sys.platform == "win32" else "omniscope"


def find_program() -> Path:
    """The program of this installation. ProgramNotFound says where it was looked for."""
    looked: List[Path] = []
    for folder in _folders():
        path = folder / NAME
        if path.is_file():
            return path
        if folder not in looked:
            looked.append(folder)
    raise ProgramNotFound(
        f"the program {NAME} is in none of {', '.join(map(str, looked))}: install the wheel of this platform with pip, "
        "or name the program by run(..., program=PATH)"
    )


def _folders() -> Iterator[Path]:
    """Folders that installers put programs into: of this Python or venv, of the user, and beside or above the module."""
    yield Path(sysconfig.get_path("scripts"))
    yield Path(sysconfig.get_path("scripts", scheme=_user_scheme()))
    module = Path(__file__).resolve().parent
    yield module.parent / "bin"  # pip install --target
    for above in module.parents:  # pip install --prefix: PREFIX/lib/pythonX.Y/site-packages/omniscope
        if above.name.lower() == "lib":
            yield above.parent / os.path.basename(sysconfig.get_path("scripts"))
            break
    yield module


def _user_scheme() -> str:
    if sys.version_info >= (3, 10):
        return sysconfig.get_preferred_scheme("user")
    if os.name == "nt":
        return "nt_user"
    if sys.platform == "darwin" and sysconfig.get_config_var("PYTHONFRAMEWORK"):
        return "osx_framework_user"
    return "posix_user"
