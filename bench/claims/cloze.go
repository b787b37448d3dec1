package claims

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/rows"
)

// clozeName is the benchmark whose results give recall.
const clozeName = "omni-cloze"

// A cloze is the outcome of the blanks of a clip in strict scoring.
type cloze struct{ correct, other, unjudged int }

// readCloze reads the results of Omni-Cloze in a folder, and finds the blanks of each clip.
func (e *evaluation) readCloze(ctx context.Context, folder string) error {
	system, err := clozeSystem(folder)
	if err != nil {
		return err
	}
	clipOf := make(map[string]string) // by unit
	if _, err := rows.Read(ctx, filepath.Join(folder, bench.CasesFile), rows.Layout{}, func(row []byte, _ string, _ int) error {
		clipOf[gjson.GetBytes(row, "unit").Str] = gjson.GetBytes(row, "cluster").Str
		return nil
	}); err != nil {
		return err
	}
	file := filepath.Join(folder, "blanks.jsonl")
	byName := make(map[string]*cloze)
	digest, err := rows.Read(ctx, file, rows.Layout{}, func(row []byte, _ string, _ int) error {
		unit, verdict := gjson.GetBytes(row, "uuid").Str, gjson.GetBytes(row, "strict").Str
		if unit == "" || verdict == "" {
			return errors.New(`the line is none of a blank: it has no "uuid" or no "strict"`)
		}
		for _, name := range []string{bench.Stem(unit), bench.Stem(clipOf[unit])} {
			c := byName[name]
			if c == nil {
				c = &cloze{}
				byName[name] = c
			}
			if !c.add(verdict) {
				return fmt.Errorf(`"strict" is %q, and not what becomes of a blank`, verdict)
			}
			if bench.Stem(clipOf[unit]) == bench.Stem(unit) {
				break
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	e.plan.Inputs[file] = digest
	e.plan.Protocol += "|recall:" + digest[:12]
	return e.joinCloze(byName, folder, system)
}

// add counts a blank. ok is false where its verdict is none.
func (c *cloze) add(verdict string) (ok bool) {
	switch verdict {
	case omniscope.Correct.String():
		c.correct++
	case omniscope.Wrong.String(), omniscope.NotGiven.String():
		c.other++
	case omniscope.Unjudged.String():
		c.unjudged++
	default:
		return false
	}
	return true
}

// joinCloze gives each clip its blanks.
func (e *evaluation) joinCloze(byName map[string]*cloze, folder, system string) error {
	e.cloze = true
	lacking := 0
	for i := range e.clips {
		c := &e.clips[i]
		if stem := bench.Stem(c.id); c.cluster == stem { // else several clips have the stem, and the blanks may be of any
			c.blanks = byName[stem]
		}
		if c.blanks == nil {
			lacking++
		}
	}
	switch {
	case lacking == len(e.clips):
		return omniscope.Usagef("--recall %s: none of its %d clips has a caption in %s", folder, len(byName), e.in.Predictions)
	case lacking > 0:
		e.plan.Warn("%d of %d clips have no blanks in %s: recall is of the others", lacking, len(e.clips), folder)
	}
	if system != e.plan.System {
		e.plan.Warn("%s has the blanks of the system %s, and the captions are of %s: recall and F1 are of one system only if these are the same", folder, system, e.plan.System)
	}
	return nil
}

// clozeSystem is the system of the results of Omni-Cloze in a folder.
func clozeSystem(folder string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "results.json"))
	if err != nil {
		return "", omniscope.Usagef("--recall %s has no results: name the folder of a run of omniscope eval %s (%w)", folder, clozeName, err)
	}
	var r document.Results
	if err := json.Unmarshal(text, &r); err != nil {
		return "", omniscope.Invalidf("%s: %w", filepath.Join(folder, "results.json"), err)
	}
	if r.Benchmark.Name != clozeName {
		return "", omniscope.Usagef("--recall %s has the results of %s: name a folder of omniscope eval %s", folder, r.Benchmark.Name, clozeName)
	}
	return r.System, nil
}
