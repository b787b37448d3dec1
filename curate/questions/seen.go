package questions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/detective"
)

// addSeen adds what is to be seen in talks. path is a folder of investigations with a report.json each, whose observations by
// sight are taken; or a file of lines of JSON with talk, text, start and end.
func (t *Talks) addSeen(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return invalid("what is seen in the talks: %w", err)
	}
	if info.IsDir() {
		return t.addReports(ctx, path)
	}
	digest, err := eachLine(ctx, path, t.addSeenLine)
	t.Digests = append(t.Digests, digest)
	return err
}

func (t *Talks) addSeenLine(text []byte) error {
	var row struct {
		Talk, Text string
		Start, End *float64
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	talk := t.Find(row.Talk)
	switch {
	case row.Talk == "":
		return bench.NoField("talk", bench.FieldsOf(text))
	case talk == nil:
		return fmt.Errorf("there is no talk %q", row.Talk)
	case strings.TrimSpace(row.Text) == "":
		return bench.NoField("text", bench.FieldsOf(text))
	case row.Start != nil && (row.End == nil || *row.End < *row.Start || *row.Start < 0):
		return fmt.Errorf("it begins at %g s and does not end after that", *row.Start)
	}
	talk.add(Seen, row.Text, row.Start, row.End, "")
	return nil
}

// addReports adds the observations of investigations. The clip of one has the id of its talk, or its file the name of the
// talk's file.
func (t *Talks) addReports(ctx context.Context, folder string) error {
	reports, err := detective.FindReports(ctx, folder)
	if err != nil {
		return err
	}
	sum := sha256.New()
	used := 0
	for _, id := range slices.Sorted(maps.Keys(reports)) {
		r, err := detective.ReadReport(ctx, reports[id])
		if err != nil {
			return err
		}
		talk := t.of(r)
		if talk == nil {
			continue
		}
		used++
		for i := range r.Ledger {
			addEvidence(talk, &r.Ledger[i])
		}
		for _, p := range talk.Passages {
			fmt.Fprintf(sum, "%s %s\n", talk.ID, &p)
		}
	}
	if used == 0 {
		return invalid("%s has no investigation of any of the talks: name the folder with a report.json in a folder for each, such as OUT/reports/v of 'omniscope investigate --list --passes v --pages all'", folder)
	}
	t.Digests = append(t.Digests, hex.EncodeToString(sum.Sum(nil)))
	return nil
}

// of is the talk that an investigation is about; nil = none of these.
func (t *Talks) of(r *detective.Report) *Talk {
	if one := t.Find(string(r.Clip.ID)); one != nil {
		return one
	}
	for _, one := range t.All {
		if one.media != "" && bench.Stem(one.media) == bench.Stem(r.Clip.Path) {
			return one
		}
	}
	return nil
}

// addEvidence adds an observation by sight. One without an end has no time: it may be about all of the talk.
func addEvidence(t *Talk, e *detective.Evidence) {
	if e.Sense != omniscope.Visual {
		return
	}
	text := e.What
	if e.Quote != "" {
		text += fmt.Sprintf(" %q", e.Quote)
	}
	var start, end *float64
	if e.EndS > e.StartS {
		start, end = &e.StartS, &e.EndS
	}
	t.add(Seen, text, start, end, e.ID)
}
