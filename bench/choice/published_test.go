package choice_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// A publishedTable is a table of the Omni-Captioner paper, and how many questions of each group
// its benchmark has.
type publishedTable struct {
	bench    bench.Benchmark
	groups   map[string]int
	question string // of a file: number, group
	answer   string // to it: number, letter of the right option or another
	letters  [2]string
}

var publishedTables = map[string]publishedTable{
	"8": {choice.MMAR(), map[string]int{"sound": 165, "music": 206, "speech": 294, "sound-music": 11, "sound-speech": 218, "music-speech": 82, "sound-music-speech": 24},
		`{"id": "q%d", "audio_path": "q.wav", "question": "?", "choices": ["far", "near"], "answer": "near", "modality": %q, "category": "x", "sub-category": "x"}`,
		`{"id": "q%d", "answer_prediction": %q}`, [2]string{"near", "far"}},
	"9": {choice.VideoMME(), map[string]int{"short": 900, "medium": 900, "long": 900},
		`{"video_id": "1", "videoID": "a", "question_id": "q%d", "duration": %q, "domain": "x", "sub_category": "x", "task_type": "x", "question": "?", "options": ["A. one", "B. two", "C. three", "D. four"], "answer": "C"}`,
		`{"question_id": "q%d", "response": %q}`, [2]string{"C", "B"}},
	"10": {choice.VideoHolmes(), map[string]int{"SR": 292, "IMC": 276, "TCI": 273, "TA": 200, "MHR": 332, "PAR": 194, "CTI": 270},
		`{"video ID": "f", "Question ID": %d, "Question Type": %q, "Question": "?", "Options": {"A": "one", "B": "two", "C": "three"}, "Answer": "C", "Explanation": ""}`,
		`{"id": "f/%d", "answer": %q}`, [2]string{"<answer>C</answer>", "<answer>B</answer>"}},
	"11": {choice.DailyOmni(), map[string]int{"context understanding": 193, "reasoning": 175, "inference": 154, "comparative": 131, "event sequence": 306, "av event alignment": 238},
		`{"Question": "?", "Choice": ["A. one", "B. two", "C. three"], "Answer": "C", "video_id": "v", "N": %d, "Type": %q, "video_category": "x", "video_duration": "30s"}`,
		`{"id": "v/%d", "answer": %q}`, [2]string{"C", "B"}},
}

// TestPublishedRows scores answers of which, in each group, as many are right as a published
// row says. The accuracy of the whole is then the average of the row: it is of all questions
// alike, and not of the groups.
func TestPublishedRows(t *testing.T) {
	rows := publishedRows(t)
	checked := 0
	for number, table := range publishedTables {
		for model, row := range rows[number] {
			if len(row) <= len(table.groups) { // the paper has only the average
				continue
			}
			checked++
			want := row["avg"]
			if got := accuracyOf(t, table, row); math.Abs(got-want) > 0.051 {
				t.Errorf("table %s, %s: %.2f, and the paper has %.1f", number, model, got, want)
			}
		}
	}
	if checked != 9+6+9+8 {
		t.Errorf("%d rows were checked", checked)
	}
}

// publishedRows are shares by table, model and group.
func publishedRows(t *testing.T) map[string]map[string]map[string]float64 {
	t.Helper()
	f, err := os.Open(golden.Path(t, "published", "omni_captioner_published.csv"))
	fixture.OK(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	fixture.OK(t, err)
	out := make(map[string]map[string]map[string]float64)
	for _, l := range lines[1:] {
		value, err := strconv.ParseFloat(l[6], 64)
		if err != nil {
			continue // of other tables
		}
		if out[l[0]] == nil {
			out[l[0]] = make(map[string]map[string]float64)
		}
		if out[l[0]][l[3]] == nil {
			out[l[0]][l[3]] = make(map[string]float64)
		}
		out[l[0]][l[3]][l[4]] = value
	}
	return out
}

// accuracyOf is the published accuracy of answers that are right as often as a row says.
func accuracyOf(t *testing.T, table publishedTable, row map[string]float64) float64 {
	t.Helper()
	var questions, answers []string
	for group, n := range table.groups {
		right := int(math.Round(row[group] * float64(n) / 100))
		for i := range n {
			number, said := len(questions)+1, table.letters[1]
			if i < right {
				said = table.letters[0]
			}
			questions = append(questions, fmt.Sprintf(table.question, number, group))
			answers = append(answers, fmt.Sprintf(table.answer, number, said))
		}
	}
	in := bench.Inputs{Data: fixture.File(t, "data.json", "["+strings.Join(questions, ",\n")+"]"), Predictions: fixture.File(t, "answers.jsonl", strings.Join(answers, "\n")), Scoring: bench.Official}
	official, _ := scored(t, table.bench, in)
	var correct, wrong, abstained, unread, unjudged float64
	if _, err := fmt.Sscan(official, &correct, &wrong, &abstained, &unread, &unjudged); err != nil {
		t.Fatal(err)
	}
	return 100 * correct / (correct + wrong + abstained + unread + unjudged)
}
