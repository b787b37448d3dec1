package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/jedib0t/go-pretty/v6/text"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
	"omniscope/internal/testing/fixture"
)

var documents = map[string]func() *document.Results{
	"normal": normal, "differing": unscoredAndDiffering, "official": officialAsked, "no score": nothingJudged,
	"one clip": oneClip, "unknown cost": unknownCost, "hostile": hostile,
	"mcif": mcif, "stopped": mcifStopped, "every task": everyTask, "hostile tables": hostileTables,
	"empty": func() *document.Results { return &document.Results{Status: document.NoScore} },
}

func TestJSONRoundTrip(t *testing.T) {
	for name, document := range documents {
		t.Run(name, func(t *testing.T) {
			text := written(t, JSON, document())
			got := decoded(t, text)
			want := document()
			if strings.HasPrefix(name, "hostile") {
				want = decoded(t, written(t, JSON, got)) // JSON mends what is no UTF-8
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(text, `\u003c`) || !strings.HasSuffix(text, "}\n") {
				t.Error("HTML escaped, or no line break at the end")
			}
		})
	}
}

func decoded(t *testing.T, text string) *document.Results {
	t.Helper()
	var r document.Results
	fixture.OK(t, json.Unmarshal([]byte(text), &r))
	return &r
}

func TestJSONRefusesNaN(t *testing.T) {
	r := normal()
	r.Usage.Seconds = math.NaN()
	var out bytes.Buffer
	if err := JSON(&out, r); err == nil || out.Len() > 0 {
		t.Errorf("wrote %d bytes, error %v", out.Len(), err)
	}
}

// Every score of the document is in the CSV, in full, and nothing else.
func TestCSVParsesBack(t *testing.T) {
	for name, document := range documents {
		t.Run(name, func(t *testing.T) {
			r := document()
			rows, err := csv.NewReader(strings.NewReader(written(t, CSV, r))).ReadAll()
			fixture.OK(t, err)
			if diff := cmp.Diff(csvHeader, rows[0]); diff != "" {
				t.Error(diff)
			}
			scores := make(map[string]omniscope.Score)
			for _, p := range r.Scorings {
				for _, s := range p.Slices {
					for score, v := range s.Scores {
						// The reader of encoding/csv makes \r\n in a cell \n.
						v.Why = strings.ReplaceAll(v.Why, "\r\n", "\n")
						scores[p.Name+s.Dimension+strings.ReplaceAll(s.Group, "\r\n", "\n")+score] = v
					}
				}
			}
			for _, row := range rows[1:] {
				key := row[4] + strings.ReplaceAll(row[5], "\n# d", "\r\n# d") + row[6] + row[7]
				checkCSV(t, row, scores[key])
				delete(scores, key)
			}
			if len(scores) > 0 {
				t.Errorf("%d scores are not in the CSV", len(scores))
			}
		})
	}
}

func checkCSV(t *testing.T, row []string, want omniscope.Score) {
	t.Helper()
	number := func(cell string) *float64 {
		if cell == "" {
			return nil
		}
		v, err := strconv.ParseFloat(cell, 64)
		fixture.OK(t, err)
		return &v
	}
	count := func(cell string) int {
		n, err := strconv.Atoi(cell)
		fixture.OK(t, err)
		return n
	}
	got := omniscope.Score{Name: row[7], Value: number(row[8]), N: count(row[15]), Unscored: count(row[16]), Clusters: count(row[17]), Why: row[18]}
	if low, high, level := number(row[9]), number(row[10]), number(row[11]); low != nil {
		got.Interval = &omniscope.Interval{Low: *low, High: *high, Level: *level, Method: row[12]}
	}
	if low, high := number(row[13]), number(row[14]); low != nil {
		got.Bounds = &omniscope.Bounds{Low: *low, High: *high}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v (-want +got):\n%s", row, diff)
	}
}

// All rows of a Markdown table have as many cells as its head.
func TestMarkdownTables(t *testing.T) {
	for name, document := range documents {
		t.Run(name, func(t *testing.T) {
			cells := 0
			for line := range strings.Lines(written(t, asMarkdown, document())) {
				if !strings.HasPrefix(line, "|") {
					cells = 0
					continue
				}
				n := markdownCells(line)
				if cells != 0 && n != cells {
					t.Errorf("%d cells, the head has %d: %s", n, cells, line)
				}
				cells = n
			}
		})
	}
}

// markdownCells counts the cells of a row as GitHub does: a backslash takes
// the character after it along.
func markdownCells(line string) int {
	bars, escaped := 0, false
	for _, r := range strings.TrimSpace(line) {
		if r == '|' && !escaped {
			bars++
		}
		escaped = r == '\\' && !escaped
	}
	return bars - 1
}

func TestNoTerminalCodes(t *testing.T) {
	for _, out := range []string{written(t, asText(TextOptions{}), hostile()), written(t, asMarkdown, hostile()),
		written(t, asText(TextOptions{}), hostileTables()), written(t, asMarkdown, hostileTables())} {
		for line := range strings.Lines(out) {
			i := strings.IndexFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool {
				return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
			})
			if i >= 0 {
				t.Errorf("%q at %d", line, i)
			}
		}
	}
}

// Colours change nothing but colours.
func TestColor(t *testing.T) {
	for name, document := range documents {
		plain := written(t, asText(TextOptions{}), document())
		colored := written(t, asText(TextOptions{Color: true}), document())
		if diff := cmp.Diff(plain, text.StripEscape(colored)); diff != "" || plain == colored {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWidth(t *testing.T) {
	for name, document := range documents {
		format := asText
		if document().Benchmark.Name == "mcif" {
			format = asMCIF
		}
		for width := 80; width <= 200; width += 5 {
			for line := range strings.Lines(written(t, format(TextOptions{Width: width}), document())) {
				if n := text.StringWidth(strings.TrimSuffix(line, "\n")); n > width && !strings.HasPrefix(line, "signature") {
					t.Errorf("%s: %d columns in a width of %d: %s", name, n, width, line)
				}
			}
		}
	}
}

// What is not a number is no score, never a zero.
func TestNotANumber(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		r := oneClip()
		for _, p := range r.Scorings {
			for _, s := range p.Slices {
				for name, score := range s.Scores {
					score.Value, score.Bounds = &v, &omniscope.Bounds{Low: v, High: v}
					s.Scores[name] = score
				}
			}
		}
		for _, out := range []string{written(t, asText(TextOptions{}), r), written(t, asMarkdown, r), written(t, CSV, r)} {
			if strings.Contains(out, "NaN") || strings.Contains(out, "Inf") {
				t.Error(out)
			}
		}
	}
}

func TestUnknownScore(t *testing.T) {
	v := 0.12345
	r := &document.Results{Headline: document.Headline{Scores: map[string]omniscope.Score{
		"word_error": {Value: &v, N: 1}, "accuracy": {Value: &v, N: 2}}}}
	var titles []string
	for _, c := range columnsOf(r, columns) {
		titles = append(titles, c.Title+" "+c.cell(document.Slice{Scores: r.Headline.Scores}))
	}
	if diff := cmp.Diff([]string{"accuracy 12.3", "word error 0.123"}, titles); diff != "" {
		t.Error(diff)
	}
	if got := written(t, asText(TextOptions{}), r); !strings.Contains(got, "1–2") {
		t.Errorf("the range of n is missing:\n%s", got)
	}
}

func TestNumbers(t *testing.T) {
	percent, plain := Column{Percent: true}, Column{}
	for _, test := range []struct{ got, want string }{
		{percent.Number(0.5425), "54.2"}, {percent.Number(-0.0004), "0.0"}, {percent.Number(-0.1), "-10.0"},
		{percent.Number(1), "100.0"}, {plain.Number(-0.0001), "0.000"}, {plain.Number(1.5), "1.500"},
		{quantity.Grouped(0), "0"}, {quantity.Grouped(999), "999"}, {quantity.Grouped(1000), "1,000"}, {quantity.Grouped(1234567), "1,234,567"},
		{quantity.Grouped(-123), "-123"}, {quantity.Grouped(-1234), "-1,234"},
		{dollars(0), "$0.00"}, {dollars(0.0123), "$0.0123"}, {dollars(12.345), "$12.35"},
		{quantity.Things(1, "call"), "1 call"}, {quantity.Things(0, "call"), "0 calls"},
		{shell([]string{"a", "", "b c", "it's"}), `a '' 'b c' 'it'\''s'`},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	r := normal()
	for _, err := range []error{Text(fullDisk{}, r, TextOptions{}), Markdown(fullDisk{}, r, nil), CSV(fullDisk{}, r), JSON(fullDisk{}, r)} {
		if !errors.Is(err, errFull) {
			t.Errorf("got %v", err)
		}
	}
}
