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
	"omniscope/bench/mcif/talkqa"
	"omniscope/detective"
)

// leastSure is how sure an observation has to be that questions rest on.
const leastSure = 0.5

// addSeen adds what is to be seen in talks. path is a folder of investigations with a report.json each, whose observations by
// sight are taken; or a file of lines of JSON with talk, text, start and end.
func (t *Talks) addSeen(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return omniscope.Invalidf("what is seen in the talks: %w", err)
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
	case talk.blind:
		return fmt.Errorf("talk %s has sound alone (audio, and no video): nothing is to be seen in it", row.Talk)
	case strings.TrimSpace(row.Text) == "":
		return bench.NoField("text", bench.FieldsOf(text))
	case !talkqa.InOrder(row.Start, row.End):
		return fmt.Errorf("it begins at %g s and does not end after that", *row.Start)
	}
	talk.add(pictures, row.Text, row.Start, row.End, "")
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
		talk := t.ofReport(r)
		if talk == nil {
			continue
		}
		if used++; talk.report != "" {
			return omniscope.Invalidf("%s and %s are both of the talk %s: leave one of them out", talk.report, reports[id], talk.ID)
		}
		talk.report = reports[id]
		talk.addReport(r)
		for i := range talk.Passages {
			fmt.Fprintf(sum, "%s %s\n", talk.ID, &talk.Passages[i])
		}
	}
	if used == 0 {
		return omniscope.Invalidf("%s has no investigation of any of the talks: name the folder with a report.json in a folder for each, such as OUT/reports/v of 'omniscope caption --list --passes v --pages'", folder)
	}
	t.Digests = append(t.Digests, hex.EncodeToString(sum.Sum(nil)))
	return nil
}

// ofReport is the talk that an investigation is about; nil = none of these.
func (t *Talks) ofReport(r *detective.Report) *Talk {
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

// addReport adds the observations by sight of an investigation that a question can rest on: something that is there, that
// is fairly sure, and that no other observation contradicts.
func (t *Talk) addReport(r *detective.Report) {
	if t.blind {
		return
	}
	doubtful := make(map[string]bool)
	for _, x := range r.Contradictions {
		for _, id := range x.Evidence {
			doubtful[id] = true
		}
	}
	for i := range r.Ledger {
		e := &r.Ledger[i]
		if e.Sense == omniscope.Visual && e.Sure >= leastSure && !doubtful[e.ID] && !e.Denies() {
			t.addEvidence(e)
		}
	}
}

// addEvidence adds an observation. One that lasts to the end of the clip has no time: it may be about all of the talk.
func (t *Talk) addEvidence(e *detective.Evidence) {
	text := e.What
	if quote := oneLine(e.Quote); quote != "" {
		text += fmt.Sprintf(" %q", quote)
	}
	var start, end *float64
	if e.EndS > 0 && e.EndS >= e.StartS {
		start, end = &e.StartS, &e.EndS
	}
	t.add(pictures, text, start, end, e.ID)
}
