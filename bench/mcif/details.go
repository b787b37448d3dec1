package mcif

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/quantity"
)

// detailsName is the name of the table that details makes.
const detailsName = "details"

// details is every score of every file, with what is behind it.
func details(runs []systemRun) omniscope.Table {
	t := omniscope.Table{Name: detailsName, Title: "Details, scoring " + scoringOf(runs),
		Columns: []string{"track", "input", "model", "language", "prompts", "score", "value", "low", "high", "n", "unscored", "why", "folder"}, Numbers: []int{6, 7, 8, 9, 10},
		Note: "in percent; low and high: 95 % interval; n: words of transcripts, lines of translations, answers, summaries; folder: of the file's own results"}
	for _, r := range runs {
		for _, s := range tableScores {
			c := cellOf(r, s.name)
			if c.mark == nothingThere {
				continue
			}
			score, f := r.Results.Headline.Scores[s.name], r.File
			row := []string{f.Track, f.Modality, r.row().system, f.Lang, f.Prompts, s.title, c.mark, "", "", strconv.Itoa(score.N), strconv.Itoa(score.Unscored), why(r, s.name), r.Folder}
			if c.value != nil {
				row[6] = twoDecimals(*c.value)
			}
			if score.Interval != nil {
				row[7], row[8] = twoDecimals(score.Interval.Low), twoDecimals(score.Interval.High)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func twoDecimals(v float64) string { return fmt.Sprintf("%.2f", 100*v) }

// why is what keeps a score from having a value, or from being of everything.
func why(r systemRun, score string) string {
	if w := r.Results.Headline.Scores[score].Why; w != "" {
		return w
	}
	return r.Unscored[score]
}

// reasonsOf say why cells of the tables have no number, each reason once, and
// which files lack outputs.
func reasonsOf(runs []systemRun) []string {
	type reason struct {
		why    string
		titles []string
		files  int
	}
	var reasons []reason
	var lacking []string
	for _, r := range runs {
		if n := r.Results.Outcomes[omniscope.Missing.String()]; n > 0 {
			lacking = append(lacking, fmt.Sprintf("%s: %d of %d talks, answers and summaries lack outputs or references", r.Folder, n, r.Results.Samples))
		}
		told := make(map[int]bool)
		for _, s := range tableScores {
			w := r.Results.Headline.Scores[s.name].Why
			if w == "" || cellOf(r, s.name).value != nil {
				continue
			}
			i := slices.IndexFunc(reasons, func(known reason) bool { return known.why == w })
			if i < 0 {
				i, reasons = len(reasons), append(reasons, reason{why: w})
			}
			if !slices.Contains(reasons[i].titles, s.title) {
				reasons[i].titles = append(reasons[i].titles, s.title)
			}
			if !told[i] {
				told[i] = true
				reasons[i].files++
			}
		}
	}
	var out []string
	for _, x := range reasons {
		verb := "not available"
		if strings.HasPrefix(x.why, stops) {
			verb = "no score"
		}
		out = append(out, fmt.Sprintf("%s: %s in %s: %s", strings.Join(x.titles, ", "), verb, quantity.Of(x.files, "file", "files"), x.why))
	}
	return append(out, lacking...)
}

// Unscored says, by score, how many units strict scoring left unscored, and how
// they ended. Units that only lack a scorer are not counted.
func (e *evaluation) Unscored() map[string]string {
	out := make(map[string]string)
	for _, task := range macroTasks {
		ends := make(map[omniscope.Outcome]int)
		units, n := e.ofTask(task), 0
		for _, u := range units {
			if !u.scorable {
				ends[u.outcome]++
				n++
			}
		}
		if n == 0 {
			continue
		}
		var parts []string
		for _, o := range []omniscope.Outcome{omniscope.Missing, omniscope.Unparsed, omniscope.Abstained} {
			if ends[o] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", ends[o], o))
			}
		}
		out[scoreOf[task]] = fmt.Sprintf("%d of %d left unscored: %s", n, len(units), strings.Join(parts, ", "))
	}
	return out
}

// marksOf are the marks of files, each text once with the files that have it.
func marksOf(runs []systemRun) (notes []string) {
	var order []string
	files := make(map[string][]string)
	for _, r := range runs {
		marks := r.Results.Marked()
		if marks != "" && files[marks] == nil {
			order = append(order, marks)
		}
		files[marks] = append(files[marks], r.Folder)
	}
	for _, marks := range order {
		notes = append(notes, fmt.Sprintf("marked: %d of %d files (first: %s): %s", len(files[marks]), len(runs), files[marks][0], marks))
	}
	return notes
}
