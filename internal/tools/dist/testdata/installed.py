"""Uses the installed package as its users do, and compares what it says with the files and with the program.

Usage: installed.py. The working folder has omni_cloze.jsonl and captions.jsonl.
"""

import csv
import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import omniscope

program = omniscope.find_program()
assert program.parent == Path(sysconfig.get_path("scripts")), program

said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
assert omniscope.run(["--version"]).stdout == said
module = [sys.executable, "-m", "omniscope"]
assert subprocess.run([*module, "--version"], capture_output=True, text=True, check=True).stdout == said
assert subprocess.run([*module, "eval", "nothing"], capture_output=True).returncode == 2

lines: list = []
score = ["eval", "omni-cloze", "--data", Path("omni_cloze.jsonl"), "--predictions", "captions.jsonl", "--judge", "offline", "--out", "runs/mine"]
done = omniscope.run([*score, "--json"], progress=lines.append)
run = omniscope.load("runs/mine")
document = json.loads(Path("runs/mine/results.json").read_text())


def sparse(row):  # without the counts of 0, which the files leave out
    return {k: {f: n for f, n in v.items() if n} if isinstance(v, dict) else v for k, v in row.items()}


outcomes = sparse(run.results)["sample_outcomes"]
assert {**run.results, "sample_outcomes": outcomes} == document == done.json()
assert run.scores == {name: score["value"] for name, score in document["headline"]["scores"].items()} and len(run.scores) == 4
assert done.stderr == "".join(line + "\n" for line in lines)
for name, records in {"blanks": run.questions, "counts": run.judgements, "cases": run.records("cases")}.items():
    read = [json.loads(line) for line in Path("runs/mine", name + ".jsonl").open()]
    assert [sparse(r) for r in records] == [sparse(r) for r in read] and len(read) in (12, 120), name

# The tables are those of export, cell by cell.
omniscope.run(["export", "runs/mine", "--as", "csv", "--out", "tables"])
for name in ("blanks", "counts"):
    with Path("tables", name + ".csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    mine = run.table(name)
    assert [list(row) for row in mine] == [head] * len(rows)
    shown = [["" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in row.values()] for row in mine]
    assert shown == rows, name
assert isinstance(run.table("blanks")[0]["number"], int)


def raised(kind: type, *args: str) -> omniscope.Error:
    try:
        omniscope.run(args, progress=lambda line: None)
    except omniscope.Error as error:
        assert type(error) is kind, repr(error)
        assert error.command == [str(program), *args]
        return error
    raise AssertionError(f"{args} did not fail")


cloze = ("eval", "omni-cloze", "--data", "omni_cloze.jsonl", "--predictions", "captions.jsonl")
assert "missing.jsonl" in raised(omniscope.Failed, "eval", "omni-cloze", "--data", "missing.jsonl", "--predictions", "captions.jsonl").message
assert "--juge" in raised(omniscope.Usage, *cloze, "--juge", "x").message
Path("replies.json").write_text(json.dumps({f"demo-{n:02}": [None] for n in range(1, 13)}))
raised(omniscope.TooManyFailures, *cloze, "--judge", "scripted/replies.json", "--out", "runs/failed")
assert omniscope.load("runs/failed").results["sample_outcomes"]["failed"] == 10
Path("more.json").write_text(json.dumps({f"demo-{n:02}": ["{}"] for n in range(1, 13)}))
assert "--max-calls 2" in raised(omniscope.BudgetReached, *cloze, "--judge", "scripted/more.json", "--max-calls", "2").message
print("as it should be")
