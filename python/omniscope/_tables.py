"""The tables that `omniscope export` writes, for Python."""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Literal, Sequence, Type, Union

from ._run import run

Form = Literal["dicts", "pandas", "arrow"]
Tables = Dict[str, Any]


def tables(folders: Sequence[Union[str, "os.PathLike[str]"]], as_: Form = "dicts") -> Tables:
    """Tables of what runs know of each question, unit and answer, by name; the lines of all runs stand in one table.

    They are those of `omniscope export`, which makes them. "dicts" are lists of dictionaries, "pandas" DataFrames and
    "arrow" pyarrow Tables; the last two need those packages.
    """
    if isinstance(folders, (str, bytes)):
        raise TypeError("folders is a list, such as ['runs/a', 'runs/b']")
    read = {"dicts": _dicts, "pandas": _pandas, "arrow": _arrow}.get(as_)
    if read is None:
        raise ValueError(f"as_ is {as_!r}; there are: dicts, pandas, arrow")
    if as_ in _PACKAGES:
        _imported(as_)  # before the program is asked to write anything
    form = "parquet" if as_ == "arrow" else "jsonl"
    with tempfile.TemporaryDirectory(prefix="omniscope-tables-") as made:
        out = Path(made) / "tables"
        run(["export", "--out", out, "--as", form, "--", *folders], progress=lambda line: None)
        return {path.stem: read(path) for path in sorted(out.glob("*." + form))}


# Packages that forms need.
_PACKAGES = {"pandas": "pandas", "arrow": "pyarrow.parquet"}


def _imported(form: Form) -> Any:
    module = _PACKAGES[form]
    try:
        return importlib.import_module(module)
    except ImportError as why:
        package = module.partition(".")[0]
        raise ImportError(f"as_={form!r} needs the package {package}: pip install {package}") from why


def _dicts(path: Path) -> List[Dict[str, Any]]:
    with open(path, "rb") as lines:
        return [json.loads(line) for line in lines]


def _arrow(path: Path) -> Any:
    return _imported("arrow").read_table(path)


# What columns of kinds of values are in pandas: types that can be empty without becoming another type.
_PANDAS: Dict[Type[object], str] = {int: "Int64", float: "Float64", bool: "boolean", str: "string"}


def _pandas(path: Path) -> Any:
    """A DataFrame. Its types come from the values: `omniscope export` writes a point in every number that is not whole."""
    pandas = _imported("pandas")
    rows = _dicts(path)
    columns: Dict[str, Any] = {}
    for name in rows[0] if rows else ():
        values = [row[name] for row in rows]
        columns[name] = pandas.array(values, dtype=_PANDAS[_kind(values)])
    return pandas.DataFrame(columns)


def _kind(values: List[object]) -> Type[object]:
    """What a column holds. All its values are of one type; one with empty cells alone is of texts, as in Parquet."""
    for value in values:
        if value is not None:
            return type(value)
    return str
