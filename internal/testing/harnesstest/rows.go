package harnesstest

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// LmmsEval writes {date}_samples_{task}.jsonl. As in the writer, "resps" are left out where they are
// the filtered ones; of every fourth sample a filter has changed them.
func (set *Set) LmmsEval(t testing.TB, dir string) string {
	t.Helper()
	var rows []any
	for n, p := range set.Planted {
		row := map[string]any{"doc_id": n, "input": p.Question, "target": string(rune('A' + p.Gold)), "filtered_resps": []string{p.Answer}, "doc_hash": fmt.Sprintf("%064d", n)}
		if n%4 == 0 {
			row["resps"], row["filtered_resps"] = [][]string{{p.Answer}}, []string{"A"}
		}
		for name, value := range lmmsMetrics(set.Bench, &p) {
			row[name] = value
		}
		if p.Kind.Name == "filled" {
			row["gpt_eval_llava_all"] = map[string]any{"question": p.Question, "scores": []int{-1, -1}}
		}
		rows = append(rows, row)
	}
	path := filepath.Join(dir, "org__model", "20260801_120000_samples_"+strings.ReplaceAll(set.Bench, "-", "")+".jsonl")
	File(t, path, lines(rows))
	return path
}

// lmmsMetrics are what the tasks' process_results returns (lmms_eval/tasks/*/utils.py).
func lmmsMetrics(bench string, p *Planted) map[string]any {
	switch bench {
	case "mmau":
		return map[string]any{"accuracy": map[string]any{"overall": p.Points, "task": "sound"}, "submission": map[string]any{"id": p.ID, "audio_id": p.Video + ".wav", "question": p.Question, "choices": text(p.Options), "task": "sound", "model_prediction": "a dog"}}
	case "mmar":
		return map[string]any{"mmar_accuracy": map[string]any{"id": p.ID, "category": "Signal Layer", "prediction": "A", "ground_truth": "B", "raw_response": p.Answer, "score": p.Points}}
	case "video-mme":
		return map[string]any{"videomme_perception_score": map[string]any{"question_id": p.ID, "duration": "short", "pred_answer": "A", "answer": "B", "score": p.Points, "videoID": p.Video}}
	case "worldsense":
		return map[string]any{"worldsense_score": map[string]any{"question_id": 7, "category": "Counting", "score": p.Points, "domain": "Recognition"}}
	}
	return map[string]any{"gpt_eval_score": map[string]any{"video_name": p.ID, "caption": "c", "pred": p.Answer, "score": p.Points, "review": "{'pred': 'yes', 'score': 4}"}}
}

// LmEval writes samples_{task}_{date}.jsonl. Each sample is there once for each of two filters.
func (set *Set) LmEval(t testing.TB, dir string) string {
	t.Helper()
	id := "id"
	if set.Bench == "omni-cloze" {
		id = "uuid"
	}
	var rows []any
	for _, filter := range []string{"none", "strip"} {
		for n, p := range set.Planted {
			rows = append(rows, map[string]any{"doc_id": n, "doc": map[string]any{id: p.ID, "question": p.Question}, "target": string(rune('A' + p.Gold)), "arguments": map[string]any{"gen_args_0": map[string]any{"arg_0": p.Question, "arg_1": map[string]any{"until": []string{"\n\n"}}}},
				"resps": [][]string{{p.Answer}}, "filtered_resps": []string{"A"}, "filter": filter, "metrics": []string{"exact_match"}, "doc_hash": "d", "prompt_hash": "p", "target_hash": "t", "exact_match": p.Points})
		}
	}
	path := filepath.Join(dir, "org__model", "samples_"+set.Bench+"_2026-08-01T12-00-00.123456.jsonl")
	File(t, path, lines(rows))
	return path
}

// columns are those of VLMEvalKit's tables, with the score that its evaluation adds.
func (set *Set) columns() (header []string, rows [][]string) {
	header = []string{"index", "video", "duration", "candidates", "question", "answer", "prediction", "score"}
	for n, p := range set.Planted {
		rows = append(rows, []string{fmt.Sprint(n), p.Video, "<1min", pythonList(p.Options), p.Question, string(rune('A' + p.Gold)), p.Answer, fmt.Sprint(p.Points)})
	}
	return header, rows
}

// pythonList is a list of options with their letters as Python writes it.
func pythonList(options []string) string {
	var all []string
	for i, o := range options {
		all = append(all, fmt.Sprintf("'%c. %s'", 'A'+i, o))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// VLMEvalKit writes {model}_{dataset} with the ending of one of the three forms.
func (set *Set) VLMEvalKit(t testing.TB, dir, ending string) string {
	t.Helper()
	path := filepath.Join(dir, "Model", "Model_"+set.Bench+ending)
	header, rows := set.columns()
	switch ending {
	case ".tsv": // pandas: to_csv(sep="\t", quoting=QUOTE_ALL)
		var out strings.Builder
		for _, row := range append([][]string{header}, rows...) {
			for i, cell := range row {
				row[i] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			out.WriteString(strings.Join(row, "\t") + "\n")
		}
		File(t, path, out.String())
	case ".json": // json.dump(indent=4), which writes a missing value as NaN
		var all []string
		for _, row := range rows {
			var fields []string
			for i, cell := range row {
				value := text(cell)
				if header[i] == "index" || header[i] == "score" {
					value = cell
				}
				if header[i] == "prediction" && cell == "nan" {
					value = "NaN"
				}
				fields = append(fields, "        "+text(header[i])+": "+value)
			}
			all = append(all, "    {\n"+strings.Join(fields, ",\n")+"\n    }")
		}
		File(t, path, "[\n"+strings.Join(all, ",\n")+"\n]")
	case ".xlsx":
		writeWorkbook(t, path, append([][]string{header}, rows...))
	case ".csv":
		var out strings.Builder
		fixture.OK(t, csv.NewWriter(&out).WriteAll(append([][]string{header}, rows...)))
		File(t, path, out.String())
	}
	return path
}
