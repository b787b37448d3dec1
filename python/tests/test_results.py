from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict

import omniscope

DOCUMENT: Dict[str, Any] = {
    "schema": 1,
    "run": {"id": "a", "files": ["report.md", "blanks.jsonl", "cases.jsonl", "counts.jsonl"]},
    "headline": {"profile": "strict", "scores": {"accuracy": {"value": 0.5}, "score": {"value": None}}},
}


class Load(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def loaded(self) -> omniscope.Run:
        self.write("results.json", json.dumps(DOCUMENT))
        return omniscope.load(self.folder)

    def test_results_in_the_folder_or_below_it(self) -> None:
        self.write("results/results.json", json.dumps(DOCUMENT))
        below = omniscope.load(str(self.folder))
        self.assertEqual((below.folder, below.results), (self.folder / "results", DOCUMENT))
        self.assertEqual(self.loaded().folder, self.folder)

    def test_a_damaged_document(self) -> None:
        for part in ({"headline": {}}, {"headline": {"scores": {"a": 0.5}}}, {"run": {"files": [5]}}, {"run": None}):
            self.write("results.json", json.dumps({**DOCUMENT, **part}))
            with self.assertRaisesRegex(omniscope.InvalidFile, "results.json is damaged"):
                omniscope.load(self.folder)

    def test_headline_and_files(self) -> None:
        run = self.loaded()
        self.assertEqual(run.scores, {"accuracy": 0.5, "score": None})
        self.assertEqual(run.files, ["blanks", "cases", "counts"])

    def test_scores_are_official_whatever_was_asked_for(self) -> None:
        def profile(name: str, value: float) -> Dict[str, Any]:
            return {"name": name, "slices": [{"dimension": "overall", "scores": {"accuracy": {"value": value}}}]}

        self.write("results.json", json.dumps({**DOCUMENT, "profiles": [profile("official", 0.4), profile("strict", 0.5)], "marks": ["3 of 4 samples"]}))
        run = omniscope.load(self.folder)
        self.assertEqual((run.scores, run.strict, run.marks), ({"accuracy": 0.4}, {"accuracy": 0.5}, ["3 of 4 samples"]))

    def test_records_are_read_each_time(self) -> None:
        run = self.loaded()
        self.write("blanks.jsonl", '{"uuid":"a","text":"größe","n":12345678901234567890}\n{"uuid":"b"}\n')
        self.write("counts.jsonl", '{"unit":"a"}\n')
        self.assertEqual(list(run.questions), [{"uuid": "a", "text": "größe", "n": 12345678901234567890}, {"uuid": "b"}])
        self.assertEqual(list(run.judgements), [{"unit": "a"}])
        self.write("blanks.jsonl", "")
        self.assertEqual(list(run.records("blanks")), [])

    def test_counts_of_zero(self) -> None:
        whole = [{"dimension": "overall", "counts": {"correct": 3, "unjudged": 0}, "scores": {}}]
        profiles = [{"name": "official", "slices": whole}, {"name": "strict", "slices": whole}]
        self.write("results.json", json.dumps({**DOCUMENT, "profiles": profiles, "sample_outcomes": {"ok": 2}}))
        run = omniscope.load(self.folder)
        self.assertEqual((run.results["sample_outcomes"]["ok"], run.results["sample_outcomes"]["failed"]), (2, 0))
        self.write("counts.jsonl", '{"unit":"a","outcome":"ok","official":{"correct":3},"strict":{}}\n{"unit":"b","outcome":"failed","official":{},"strict":{}}\n')
        a, b = run.judgements
        self.assertEqual((a["official"], a["strict"]), ({"correct": 3, "unjudged": 0}, {"correct": 0, "unjudged": 0}))
        self.assertEqual((b["official"], b["strict"]), ({}, {}))
        self.assertEqual(list(run.records("counts"))[0]["strict"], {})

    def test_a_line_that_breaks_off_is_met_where_it_stands(self) -> None:
        run = self.loaded()
        for bad, why in {'{"uuid":"b","num': "Unterminated string", "[1]": "not an object"}.items():
            self.write("blanks.jsonl", '{"uuid":"a"}\n' + bad)
            records = iter(run.questions)
            self.assertEqual(next(records), {"uuid": "a"})
            with self.assertRaises(omniscope.InvalidFile) as caught:
                next(records)
            self.assertRegex(str(caught.exception), f"blanks.jsonl:2: .*{why}")
            self.assertIn(repr(bad), str(caught.exception))

    def test_unknown_names_are_answered_with_those_there_are(self) -> None:
        with self.assertRaisesRegex(LookupError, "no records 'blank'; there are: blanks, cases, counts"):
            self.loaded().records("blank")

    def test_what_is_no_folder_of_results(self) -> None:
        with self.assertRaisesRegex(FileNotFoundError, "results.json: no such file: name a folder"):
            omniscope.load(self.folder)
        for text, why in {
            '{"schema": "omniscope.results/0"}': "schema is 'omniscope.results/0'",
            '{"schema": 2}': "install a newer omniscope",
            '{"schema": "omniscope.results/2"}': "install a newer omniscope",
            '{"schema": true}': "schema is True",
            "[]": "schema is None",
            "{": "not a results document",
        }.items():
            self.write("results.json", text)
            with self.assertRaisesRegex(omniscope.InvalidFile, why):
                omniscope.load(self.folder)

    def test_schemas_of_older_versions(self) -> None:
        for change in ({"schema": "omniscope.results/1"}, {"schema": None, "benchmark": {"name": "mmau"}}):
            document = {name: value for name, value in {**DOCUMENT, **change}.items() if value is not None}
            self.write("results.json", json.dumps(document))
            self.assertEqual(omniscope.load(self.folder).scores["accuracy"], 0.5)

    def test_forms_of_tables(self) -> None:
        with self.assertRaisesRegex(ValueError, "as_ is 'polars'; there are: dicts, pandas, arrow"):
            self.loaded().table("blanks", as_="polars")  # type: ignore[arg-type]
        with self.assertRaisesRegex(TypeError, "folders is a list"):
            omniscope.tables("runs/a")


if __name__ == "__main__":
    unittest.main()
