// Package vlmevalkit reads files of predictions of VLMEvalKit: {model}_{dataset}.xlsx, .tsv or
// .json, as PRED_FORMAT says (vlmeval/smp/file.py, get_pred_file_path and dump): the data set's
// table and a column "prediction". Files with scores ({model}_{dataset}_score.xlsx) have a column
// "score" more.
package vlmevalkit

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/harness"
	"omniscope/internal/input"
	"omniscope/internal/workbook"
)

// Harness is VLMEvalKit.
var Harness = harness.Harness{
	Name:  "vlmevalkit",
	Title: "VLMEvalKit",
	Files: "the file {model}_{dataset}.xlsx, .tsv or .json in the folder of the model",
	Known: map[string][]string{"": {"id", "question_id", "uuid", harness.VideoAndQuestion}, "vdc": {"video"}},
	Recognise: func(g *harness.Glance) bool {
		return g.Has("index", "prediction") && (g.Has("question") || g.Has("video") || g.Has("answer"))
	},
	Read: read,
}

// failures are the texts that VLMEvalKit writes where it has no answer, at commit e8e78f05. BaseAPI.generate (vlmeval/api/base.py)
// returns what a class gave with its error code, so that each class has texts of its own. One of sensechat_vision.py is the
// server's own message and cannot be known.
var failures = []harness.Failure{
	// api/base.py and most classes; its beginning, by which inference itself knows it (smp/file.py); vlm/cogvlm.py; api/stepai.py.
	{Text: "Failed to obtain answer", Outcome: omniscope.Failed, Why: "request failed"},
	{Text: "Fail to obtain answer", Outcome: omniscope.Failed, Why: "request failed"},
	// api/base.py, vlm/base.py.
	{Text: "Failed with all possible conversation turns", Outcome: omniscope.Failed, Why: "request failed"},
	// api/qwen_api.py, jt_vl_chat.py, jt_vl_chat_mini.py, video_chat_online_v2.py.
	{Text: "Error: ", At: harness.AtStart, Outcome: omniscope.Failed, Why: "request failed"},
	{Text: "Error! code ", At: harness.AtStart, Outcome: omniscope.Failed, Why: "request failed"},
	// vlm/omnilmm.py.
	{Text: "Image Decode Error", At: harness.Alone, Outcome: omniscope.Failed, Why: "the image could not be read"},
	// api/bluelm_api.py: a thought without its end.
	{Text: "Thinking mode too long to extract answer", At: harness.Alone, Outcome: omniscope.Truncated, Why: "cut off before its answer"},
	// vlm/thyme/model.py.
	{Text: "No answer tag found in the final output.", At: harness.Alone, Outcome: omniscope.Unparsed, Why: "no answer between its tags"},
}

// whyCut is why an answer is not whole.
const whyCut = "cut off at the 32,767 characters that a cell of Excel holds"

func read(ctx context.Context, paths []string) (*harness.Log, error) {
	if len(paths) > 1 {
		return nil, omniscope.Usagef("VLMEvalKit writes one file for a model and a data set: import each by itself")
	}
	path := paths[0]
	log := harness.NewLog(harness.ModelFolder(path))
	log.Tasks = []string{strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))}
	head, err := input.Head(ctx, path)
	if err != nil {
		return nil, err
	}
	var circular passes
	add := func(line int, fields map[string]string, prediction string, cell bool) error {
		if circular.add(fields) {
			return nil
		}
		return log.Add(ctx, sample(harness.Place{File: path, Line: line}, fields, prediction, cell))
	}
	if strings.HasPrefix(string(head), "PK\x03\x04") {
		log.Digests[path], err = readWorkbook(ctx, path, add)
	} else {
		log.Digests[path], err = readTable(ctx, path, add)
	}
	if note := circular.note(path); note != "" {
		log.Notes = append(log.Notes, note)
	}
	return log, err
}

// readTable reads a table of tabs, or JSON.
func readTable(ctx context.Context, path string, add func(line int, fields map[string]string, prediction string, cell bool) error) (string, error) {
	return harness.EachRowOf(ctx, path, func(line int, row gjson.Result) error {
		fields := make(map[string]string)
		harness.Fields(fields, "", row)
		text := row.Get("prediction")
		prediction := text.String()
		if text.Exists() && text.Type == gjson.Null { // NaN
			prediction = "NaN"
		}
		return add(line, fields, prediction, false)
	})
}

func readWorkbook(ctx context.Context, path string, add func(line int, fields map[string]string, prediction string, cell bool) error) (string, error) {
	var header []string
	return workbook.EachRow(ctx, path, func(number int, cells []string) error {
		if header == nil {
			header = slices.Clone(cells)
			return nil
		}
		fields, prediction := make(map[string]string), ""
		for i, cell := range cells {
			switch {
			case i >= len(header):
			case header[i] == "prediction":
				prediction = cell
			case cell != "" && len(cell) <= harness.LongestField:
				fields[header[i]] = cell
			}
		}
		if len(fields) == 0 && prediction == "" {
			return nil
		}
		return add(number, fields, prediction, true)
	})
}

// sample is a row. cell says that a cell of a workbook holds the answer.
func sample(at harness.Place, fields map[string]string, prediction string, cell bool) harness.Sample {
	s := harness.Sample{Fields: fields, Scores: make(map[string]float64), Epoch: 1, Place: at}
	s.Judge(prediction, failures)
	if cell && s.Outcome == omniscope.OK && (utf8.RuneCountInString(prediction) == workbook.LongestCell || len(utf16.Encode([]rune(prediction))) == workbook.LongestCell) {
		s.Fail(omniscope.Truncated, whyCut, "")
	}
	for _, name := range []string{"score", "hit"} {
		if v, err := strconv.ParseFloat(fields[name], 64); err == nil {
			if v >= 0 {
				s.Scores[name] = v
			} else if s.Outcome == omniscope.OK { // vlmeval/dataset/videomme.py and others fill in -1, and leave it out of their means
				s.Suspicion = harness.SuspiciousJudge
			}
		}
	}
	delete(fields, "prediction")
	if text, err := json.Marshal(fields); err == nil { // a map of texts
		s.Asked = bench.AskedIn(gjson.ParseBytes(text), "prediction")
	}
	return s
}
