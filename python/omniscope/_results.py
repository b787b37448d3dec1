"""Reading what runs wrote."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Union, cast

from ._errors import InvalidFile
from ._tables import Form, Tables, tables

_SCHEMA = 1
_OLD_SCHEMA = "omniscope.results/"
_DOCUMENT = "results.json"
_OUTCOMES = ("ok", "abstained", "refused", "unparsed", "truncated", "failed", "missing", "pending")


class Records:
    """The lines of a file, as dictionaries. Each loop reads the file again, line by line; list(records) has all."""

    def __init__(self, path: Path, complete: Optional[Callable[[Dict[str, Any]], None]] = None) -> None:
        self.path = path
        self._complete = complete

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        with open(self.path, "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    record = json.loads(line)
                except ValueError as why:
                    raise InvalidFile(f"{self.path}:{number}: {why}: {_start(line)}") from None
                if not isinstance(record, dict):
                    raise InvalidFile(f"{self.path}:{number}: the line is not an object: {_start(line)}")
                one = cast(Dict[str, Any], record)
                if self._complete is not None:
                    self._complete(one)
                yield one

    def __repr__(self) -> str:
        return f"Records({str(self.path)!r})"


def _slices(profile: Dict[str, Any]) -> List[Dict[str, Any]]:
    return profile["slices"] or []


class Run:
    """A folder that `omniscope eval` or `omniscope run` wrote its results to."""

    def __init__(self, folder: Path, results: Dict[str, Any]) -> None:
        self.folder = folder
        self.results = results  # results.json, as docs/results.md describes it
        self._tables: Dict[str, Tables] = {}

    @property
    def scores(self) -> Dict[str, Optional[float]]:
        """The headline: scores over all samples in scoring official. None = there is no score."""
        return self.profile("official")

    @property
    def strict(self) -> Dict[str, Optional[float]]:
        """The same scores in scoring strict, where failures are counted and never scored."""
        return self.profile("strict")

    @property
    def marks(self) -> List[str]:
        """What keeps the scores from being those of a complete run on the published data; empty where nothing does."""
        return list(self.results.get("marks") or [])

    def profile(self, name: str) -> Dict[str, Optional[float]]:
        """The scores over all samples in a profile; those of the headline where the document has no such profile."""
        scores: Dict[str, Dict[str, Any]] = self.results["headline"]["scores"]
        for profile in self._profiles():
            for part in _slices(profile):
                if profile["name"] == name and part["dimension"] == "overall":
                    scores = part["scores"]
        return {score_name: score["value"] for score_name, score in scores.items()}

    @property
    def files(self) -> List[str]:
        """Names of the files of records, without .jsonl; the benchmark's questions first."""
        names: List[str] = self.results["run"].get("files") or []
        return [name[: -len(".jsonl")] for name in names if name.endswith(".jsonl")]

    def records(self, name: str) -> Records:
        """The lines of a file as they are, such as records("blanks")."""
        if name not in self.files:
            raise LookupError(f"{self.folder} has no records {name!r}; there are: {', '.join(self.files)}")
        return Records(self.folder / (name + ".jsonl"))

    @property
    def questions(self) -> Records:
        """What the benchmark writes of each question: blanks, keypoints, units, claims, answers or clips."""
        if not self.files:
            raise LookupError(f"{self.folder} has no files of records")
        return self.records(self.files[0])

    @property
    def judgements(self) -> Records:
        """Each unit with its outcome, its counts in both scorings, those of 0 included, and the verdicts on its items."""
        return Records(self.records("counts").path, self._with_zeros)

    def _with_zeros(self, unit: Dict[str, Any]) -> None:
        """Adds the counts of 0, which the file leaves out. A unit that was not judged may have none at all."""
        for profile in self._profiles():
            counts: Optional[Dict[str, int]] = unit.get(profile["name"])
            if counts is None or not counts and unit.get("outcome", "ok") != "ok":
                continue
            for part in _slices(profile):
                if part["dimension"] == "overall":
                    names: List[str] = part["counts"]
                    unit[profile["name"]] = {**dict.fromkeys(names, 0), **counts}

    def _profiles(self) -> List[Dict[str, Any]]:
        return self.results.get("profiles") or []

    def table(self, name: str, as_: Form = "dicts") -> Any:
        """A table as `omniscope export` writes it, such as table("blanks", as_="pandas").

        "dicts" is a list of dictionaries, "pandas" a DataFrame and "arrow" a pyarrow.Table; the last two need those
        packages. The program writes all tables of the run once for each form, and they are kept in memory.
        """
        if as_ not in self._tables:
            self._tables[as_] = tables([self.folder], as_=as_)
        of_form = self._tables[as_]
        if name not in of_form:
            raise LookupError(f"{self.folder} has no table {name!r}; there are: {', '.join(of_form)}")
        return of_form[name]

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r})"


def load(folder: Union[str, "os.PathLike[str]"]) -> Run:
    """Opens the results in a folder, or in the folder called results in it, as `omniscope run` writes them."""
    at = Path(folder)
    path = at / _DOCUMENT
    if not path.exists() and (at / "results" / _DOCUMENT).exists():
        at = at / "results"
        path = at / _DOCUMENT
    if not path.exists():
        raise FileNotFoundError(
            f"{path}: no such file: name a folder that `omniscope eval` wrote its results to; "
            "a run that was stopped has none yet"
        )
    try:
        document = json.loads(path.read_bytes())
    except ValueError as why:
        raise InvalidFile(f"{path} is not a results document: {why}") from None
    results = cast(Dict[str, Any], document) if isinstance(document, dict) else {}
    schema = _schema(results)
    if schema is None:
        raise InvalidFile(f"{path} is not a results document: its schema is {results.get('schema')!r}")
    if schema > _SCHEMA:
        raise InvalidFile(f"{path} has the schema {schema}, this version reads schemas up to {_SCHEMA}: install a newer omniscope")
    outcomes = results.get("sample_outcomes")
    if isinstance(outcomes, dict):  # the file leaves out those that did not occur
        results["sample_outcomes"] = {**dict.fromkeys(_OUTCOMES, 0), **cast(Dict[str, Any], outcomes)}
    run = Run(at, results)
    try:
        _ = run.scores, run.strict, run.files, run.marks  # they are read from the document each time
    except (LookupError, TypeError, AttributeError):
        raise InvalidFile(f"{path} is damaged: it has no headline with scores, or no list of files") from None
    return run


def _schema(results: Dict[str, Any]) -> Optional[int]:
    """The number of the document's form; None if it is not a form that was ever written."""
    schema = results.get("schema")
    if schema is None and isinstance(results.get("benchmark"), dict):
        return 1
    if isinstance(schema, str):  # older versions wrote "omniscope.results/1"
        number = schema[len(_OLD_SCHEMA) :] if schema.startswith(_OLD_SCHEMA) else ""
        schema = int(number) if number.isdigit() else None
    return schema if isinstance(schema, int) and not isinstance(schema, bool) and schema >= 1 else None


def _start(line: bytes) -> str:
    text = line.decode("utf-8", errors="replace").rstrip("\r\n")
    return repr(text if len(text) <= 80 else text[:80] + "...")
