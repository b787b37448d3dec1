package eval

import (
	"os"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// An invalidInput is a run that is refused before anything is asked.
type invalidInput struct {
	predictions string
	settings    []setting
	kind        omniscope.Kind
	want        string // of the error
}

// refuse checks that all runs are refused, that no judge is asked and that no file is written.
func refuse(t *testing.T, f *evalFolder, benchmark string, inputs []invalidInput) {
	t.Helper()
	for _, c := range inputs {
		f.eval(benchmark, c.predictions, c.settings...).fails(c.kind, c.want)
	}
	if _, err := os.Stat("omniscope-work"); err == nil {
		t.Error("a refused run made a working folder")
	}
}

func TestInvalidClozeFiles(t *testing.T) {
	f := enter(t, `
-- empty.jsonl --
-- broken.jsonl --
{"uuid": "0001", "cloze": {"passage": "[BLANK_1]", "blanks": [{"options": ["A: x"], "answer_key": "A"}]}, "predicted_caption": "x"}
{"uuid": "0002", cloze}
-- list.jsonl --
[1, 2]
-- captions.jsonl --
{"uuid": "0001", "predicted_caption": "x"}
-- twice.jsonl --
{"uuid": "0001", "cloze": {"passage": "[BLANK_1]", "blanks": [{"options": ["A: x"], "answer_key": "A"}]}, "predicted_caption": "x"}
{"uuid": "0001", "cloze": {"passage": "[BLANK_1]", "blanks": [{"options": ["A: x"], "answer_key": "A"}]}, "predicted_caption": "x"}
-- others.csv --
uuid,caption
0404,Who is this?
-- header.csv --
id,text
0001,x
-- banana/one.txt --
`)
	bad := func(predictions, want string, settings ...setting) invalidInput {
		return invalidInput{predictions, settings, omniscope.Invalid, want}
	}
	refuse(t, f, "omni-cloze", []invalidInput{
		{"absent.jsonl", nil, omniscope.NotFound, `absent.jsonl: no such file or directory`},
		bad("empty.jsonl", `empty.jsonl has no rows$`),
		bad("banana", `banana is a folder: name a file`),
		bad("broken.jsonl", `broken.jsonl:2: not JSON at character 18: .*\{"uuid": "0002", cloze`),
		bad("list.jsonl", `list.jsonl:1: the line is not a JSON object: 1`),
		bad("captions.jsonl", `captions.jsonl:1: the row has no cloze: give the benchmark.s file with --data`),
		bad("twice.jsonl", `twice.jsonl:2: uuid 0001 is there already, on line 1`),
		bad("clips.jsonl", `no row of clips.jsonl has the caption: clips.jsonl:1: no field "said" \(the row has "uuid", "video_path", "cloze", "metadata", "predicted_caption"\)`, field("said")),
		bad("others.csv", `none of the 1 captions in others.csv belongs to a uuid of clips.jsonl`, data("clips.jsonl")),
		bad("header.csv", `no row of header.csv has a caption.*the row has "id", "text"`, data("clips.jsonl")),
		{"clips.jsonl", []setting{samples("0009")}, omniscope.Usage, `no such uuid in clips.jsonl: 0009`},
		{"clips.jsonl", []setting{samples("1")}, omniscope.Usage, `no such uuid in clips.jsonl: 1; did you mean 0001\?`},
	})
}

// Rows in a form that is not read are named, with what to do about it.
func TestInvalidRowForms(t *testing.T) {
	f := enter(t, `
-- data.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "A"}]}}
-- pretty.jsonl --
{
  "uuid": "1",
  "caption": "A dog."
}
-- wrapped.json --

{
  "captions": [{"uuid": "1", "caption": "A dog."}]
}
-- semicolons.csv --
uuid;caption
1;"A dog; a cat, too."
-- tabs.csv --
uuid	caption
1	"A dog."
-- cut.jsonl --
{"uuid": "1", "caption": "A dog."}
{"uuid": "2",
-- page.jsonl --
<!DOCTYPE html>
<html><body>Please log in</body></html>
-- lfs.jsonl --
version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 12345
-- twice.jsonl.gz --
-- rows.jsonl --
{"uuid": "1", "caption": "A dog."}
`)
	fixture.FileIn(t, "", "twice.jsonl.gz", fixture.Gzip(fixture.Gzip(fixture.Read(t, "pretty.jsonl"))))
	fixture.FileIn(t, "", "rows.parquet", "PAR1\000\001")
	fixture.FileIn(t, "", "rows.xlsx", "PK\003\004\000\000xl/workbook.xml")
	fixture.FileIn(t, "", "rows.db", "SQLite format 3\000")
	fixture.FileIn(t, "", "rows.jsonl.zst", "\050\265\057\375\000")
	fixture.FileIn(t, "", "bare.jsonl", "{\000\"\000u\000")
	bad := func(predictions, want string) invalidInput {
		return invalidInput{predictions, []setting{data("data.jsonl")}, omniscope.Invalid, want}
	}
	refuse(t, f, "omni-cloze", []invalidInput{
		bad("pretty.jsonl", `pretty.jsonl is JSON with rows of several lines: write each row on one line, such as with .jq -c \.., or all as one list`),
		bad("wrapped.json", `wrapped.json is JSON with rows of several lines`),
		bad("semicolons.csv", `semicolons.csv:1: the fields of the header are separated by semicolons: save the table with commas`),
		bad("tabs.csv", `tabs.csv:1: the fields of the header are separated by tabs: .*, or name the file .tsv`),
		bad("twice.jsonl.gz", `twice.jsonl.gz is packed twice: unpack it once`),
		bad("cut.jsonl", `cut.jsonl:2: not JSON`),
		bad("page.jsonl", `page.jsonl is an HTML page: a download may have brought`),
		bad("lfs.jsonl", "lfs.jsonl is a Git LFS pointer and not the file itself: get that with `git lfs pull`"),
		bad("rows.parquet", `rows.parquet: it breaks off: get the file again`),
		bad("rows.xlsx", `rows.xlsx is an Excel workbook: save it as CSV`),
		bad("rows.jsonl.zst", "rows.jsonl.zst is a Zstandard file: unpack it with `zstd -d`"),
		bad("bare.jsonl", `bare.jsonl is UTF-16 without a byte order mark: save it as UTF-8`),
	})
	f.eval("capricorn", "rows.jsonl", data("rows.db")).fails(omniscope.Invalid, `rows.db is an SQLite database`)
	bounded := func(change func(*evalRun)) []setting { return []setting{change} }
	refuse(t, f, "omni-cloze", []invalidInput{
		{"clips.jsonl", bounded(func(r *evalRun) { r.limits.Rows = 1 }), omniscope.Invalid, `clips.jsonl has more than 1 rows: if that is right, raise --max-input-rows`},
		{"clips.jsonl", bounded(func(r *evalRun) { r.limits.Row = 100 }), omniscope.Invalid, `clips.jsonl:1: the row is longer than 100 bytes: if that is right, raise --max-row-size`},
		{"-", append(bounded(func(r *evalRun) { r.limits.Size = 100 }), stdin("clips.jsonl")), omniscope.Invalid, `stdin has more than 100 bytes: if that is right, raise --max-input-size`},
	})
}

const unscorableFiles = `
-- keys.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"options": ["A: dog", "B: cat"], "answerkey": "A"}]}, "predicted_caption": "A dog."}
{"uuid": "2", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"options": ["A: dog", "B: cat"], "answerkey": "A"}]}, "predicted_caption": "A dog."}
-- options.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"optoins": ["A: dog", "B: cat"], "answer_key": "A"}]}, "predicted_caption": "A dog."}
-- lower.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"options": ["A: dog", "B: cat"], "answer_key": "a"}]}, "predicted_caption": "A dog."}
-- most.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"options": ["A: dog", "B: cat"], "answer_key": "A"}]}, "predicted_caption": "A dog."}
{"uuid": "2", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"options": ["A: dog", "B: cat"], "key": "A"}]}, "predicted_caption": "A dog."}
{"uuid": "3", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"options": ["A: dog", "B: cat"], "key": "A"}]}, "predicted_caption": "A dog."}
-- nogaps.jsonl --
{"uuid": "1", "cloze": {"passage": "A dog.", "blanks": [{"options": ["A: dog", "B: cat"], "answer_key": "A"}]}, "predicted_caption": "A dog."}
-- silent.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"options": ["A: dog", "B: cat"], "answer_key": "A"}]}, "predicted_caption": ""}
-- captoin.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"options": ["A: dog", "B: cat"], "answer_key": "A"}]}, "predicted_captoin": "A dog."}
-- good.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"options": ["A: dog", "B: cat"], "answer_key": "A"}]}, "predicted_caption": "A dog."}
-- prompts/judge.txt --
Fill {cloze} from {predicton}.
-- events.jsonl --
{"video_id": "hall", "duration": 60, "events": {"bg_descr": ["A hall."], "minor_evts": ["A door closes."]}}
-- noevents.jsonl --
{"video_id": "hall", "duration": 60, "events": {"keypoints": ["A hall."]}}
-- videos.jsonl --
{"video_id": "hall", "duration": 60, "events": {"bg_desc": ["A hall."]}}
-- said.jsonl --
{"video_id": "hall", "caption": "A hall."}
-- others.jsonl --
{"video_id": "roof", "caption": "A hall."}
-- mute.jsonl --
{"video_id": "hall", "caption": ""}
-- earlier/1_judge_accuracy_coverage.jsonl --
{"video_id": "roof", "main_sbj_info": {}}
-- out.xml --
<testset name="n"><task track="long" text_lang="en"><sample id="7">a b</sample></task></testset>
-- ref.xml --
<testset name="n"><task track="long" text_lang="en"><sample id="1" iid="ASR_1" task="ASR"><audio_path>a</audio_path><reference>a b</reference></sample></task></testset>
`

// Files with hardly any row that can be scored are refused before the first call, in a forecast
// as well, with the field that was probably meant.
func TestUnscorableFiles(t *testing.T) {
	f, mock := enter(t, unscorableFiles), startJudge(t)
	bad := func(predictions, want string, settings ...setting) invalidInput {
		return invalidInput{predictions, append(settings, mock.judges), omniscope.Invalid, want}
	}
	keys := `keys.jsonl:1: blank 1: no field "answer_key" \(the row has "answerkey": did you mean "answer_key"\?\); none of 2 blanks can be scored: mend the file, or go on with --allow-unscorable`
	refuse(t, f, "omni-cloze", []invalidInput{
		bad("keys.jsonl", keys, dryRun),
		bad("keys.jsonl", keys),
		bad("keys.jsonl", `did you mean "answer_key"`, official),
		bad("options.jsonl", `options.jsonl:1: blank 1: no field "options" \(the row has "optoins": did you mean "options"\?\)`),
		bad("lower.jsonl", `lower.jsonl:1: blank 1: the key "a" is not one of A to D; none of 1 blanks can be scored`),
		bad("most.jsonl", `most.jsonl:2: blank 1: no field "answer_key" .*; 2 of 3 blanks cannot be scored`),
		bad("nogaps.jsonl", `no passage of nogaps.jsonl has a gap such as \[BLANK_1\]`),
		bad("silent.jsonl", `the caption, field "predicted_caption", is empty in all 1 rows of silent.jsonl`),
		bad("captoin.jsonl", `captoin.jsonl:1: no field "predicted_caption" \(the row has "predicted_captoin": did you mean "predicted_caption"\?\)`),
		bad("good.jsonl", `has no \{prediction\} .*did you mean`, prompts("prompts")),
	})
	refuse(t, f, "capricorn", []invalidInput{
		bad("said.jsonl", `events.jsonl:1: events: no field "bg_desc" \(the row has "bg_descr": did you mean "bg_desc"\?\); so it is in 1 of 1 rows`, data("events.jsonl"), dryRun),
		bad("said.jsonl", `noevents.jsonl:1: no row has a keypoint: events wants lists called main_sbj_evts, `, data("noevents.jsonl")),
		bad("others.jsonl", `others.jsonl:1: video roof is not annotated in videos.jsonl, and so it is with each of 1 captions: the first video there is hall`, data("videos.jsonl")),
		bad("mute.jsonl", `the caption, field "caption", is empty in all 1 rows of mute.jsonl`, data("videos.jsonl")),
		bad("said.jsonl", `--continue earlier: none of the 1 videos there is among the 1 to score`, data("videos.jsonl"), option("continue", "earlier")),
	})
	refuse(t, f, "mcif", []invalidInput{
		{"out.xml", []setting{data("ref.xml"), option("track", "long"), option("language", "en"), option("scorers", "lengths")}, omniscope.Invalid,
			`out.xml:1: sample "7" is not among those of ref.xml, and so it is with each of 1 outputs: the first sample there is "1"`},
	})
	mock.asked(0)
}

// The released scorer compares any key; on request any file is scored.
func TestScoreUnscorableFiles(t *testing.T) {
	f := enter(t, unscorableFiles)
	f.eval("omni-cloze", "lower.jsonl", official).ok()
	f.eval("omni-cloze", "keys.jsonl", unscorable).failsToJudge(`no score`)
}
