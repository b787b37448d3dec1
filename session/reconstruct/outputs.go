package reconstruct

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/parallel"
	"omniscope/media"
)

// The files of a folder of results, beside the videos and the ledger.
const (
	pairsFile     = "pairs.jsonl"     // for `omniscope people new rating --pairs`
	keyFile       = "key.jsonl"       // whose videos they are
	FailuresFile  = "failures.jsonl"  // jobs without a video
	automaticFile = "automatic.jsonl" // what a program measured of originals and reconstructions
)

// A pair is a line of pairsFile. System is a code: who runs the project need not know either.
type pair struct {
	Clip           string `json:"clip"`
	Original       string `json:"original"`
	Reconstruction string `json:"reconstruction"`
	System         string `json:"system"`
}

// A videoKey is a line of keyFile: whose video it is, and under which code people rate it.
type videoKey struct {
	Job
	Code string `json:"code"`
}

// An automaticMeasure is a line of automaticFile: a companion of people's ratings, and no rating.
type automaticMeasure struct {
	Automatic      bool     `json:"automatic"` // always true
	Name           string   `json:"name"`
	Clip           string   `json:"clip"`
	System         string   `json:"system"`
	Ordered        float64  `json:"seconds_ordered"`
	Original       *measure `json:"original"` // nil = it cannot be decoded to its end
	Reconstruction measure  `json:"reconstruction"`
	DurationRatio  *float64 `json:"duration_ratio"` // of the reconstruction to the original; nil = not known
}

// Write writes the files of a result. key.jsonl is not for the people who rate.
func (p *Plan) Write(ctx context.Context, dir string, r *Result, threads int) ([]automaticMeasure, error) {
	codes, originals := p.codes(), make(map[string]string)
	for _, c := range p.Clips {
		originals[c.ID] = c.Shown
	}
	var pairs, key, failures []any
	for _, j := range p.Jobs {
		if f, failed := r.Failures[j.Name]; failed {
			failures = append(failures, f)
		}
		if _, made := r.Made[j.Name]; !made {
			continue
		}
		pairs = append(pairs, pair{Clip: j.Clip, Original: originals[j.Clip], Reconstruction: Folder + "/" + j.File(), System: codes[j.System]})
		key = append(key, videoKey{Job: j, Code: codes[j.System]})
	}
	automatic, err := p.automatic(ctx, dir, r, threads)
	if err != nil {
		return nil, err
	}
	var measured []any
	for _, a := range automatic {
		measured = append(measured, a)
	}
	for _, f := range []struct {
		name  string
		lines []any
	}{{keyFile, key}, {pairsFile, pairs}, {FailuresFile, failures}, {automaticFile, measured}} {
		if err := outfile.WriteIn(dir, f.name, lines(f.lines)); err != nil {
			return nil, err
		}
	}
	return automatic, nil
}

func lines(all []any) func(io.Writer) error {
	return func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		for _, line := range all {
			if err := out.Encode(line); err != nil {
				return err
			}
		}
		return nil
	}
}

// measuredNow measures a video again if that was done by other rules than the original's
// now is. One that is not there, or not a video any more, keeps its measure.
func measuredNow(ctx context.Context, path string, was measure) (measure, error) {
	if _, err := os.Stat(path); err != nil || was.CutRules == media.CutRules {
		return was, nil
	}
	is, err := Look(ctx, path)
	if omniscope.KindOf(err) == omniscope.Invalid {
		return was, nil
	}
	return is, err
}

// automatic measures the originals of which there is a reconstruction, and sets both beside each other.
func (p *Plan) automatic(ctx context.Context, dir string, r *Result, threads int) (all []automaticMeasure, err error) {
	wanted := make(map[string]bool)
	for _, j := range p.Jobs {
		if _, made := r.Made[j.Name]; made {
			wanted[j.Clip] = true
		}
	}
	measured := make([]*measure, len(p.Clips))
	err = parallel.Each(ctx, max(1, threads), len(p.Clips), func(_, i int) error {
		if !wanted[p.Clips[i].ID] {
			return nil
		}
		m, err := Look(ctx, p.Clips[i].Path)
		switch {
		case err == nil:
			measured[i] = &m
		case omniscope.KindOf(err) != omniscope.Invalid:
			return err
		}
		return nil // people may rate against a damaged original all the same
	})
	if err != nil {
		return nil, err
	}
	for _, j := range p.Jobs {
		made, ok := r.Made[j.Name]
		if !ok {
			continue
		}
		if made.Is, err = measuredNow(ctx, filepath.Join(dir, Folder, j.File()), made.Is); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(p.Clips, func(c clip) bool { return c.ID == j.Clip })
		a := automaticMeasure{Automatic: true, Name: j.Name, Clip: j.Clip, System: j.System, Ordered: j.Seconds, Original: measured[i], Reconstruction: made.Is}
		if a.Original != nil && a.Original.Seconds > 0 {
			ratio := a.Reconstruction.Seconds / a.Original.Seconds
			a.DurationRatio = &ratio
		}
		all = append(all, a)
	}
	return all, nil
}

// AutomaticTable sums up by system what was measured.
func (p *Plan) AutomaticTable(all []automaticMeasure) omniscope.Table {
	t := omniscope.Table{Name: "automatic", Title: "Measured by a program", Numbers: []int{1, 2, 3, 4, 5},
		Columns: []string{"system", "videos", "length: mean ratio to the original", "cuts: mean", "cuts of the originals: mean", "as many cuts as the original"},
		Note: "Automatic, and no judgement of a person: lengths are what was ordered rather than what a caption says, and a generator makes few cuts. " +
			"No likeness of pictures is measured."}
	for _, system := range p.Systems {
		n, same := 0, 0
		var ratio, cuts, of float64
		for _, a := range all {
			if a.System != system || a.DurationRatio == nil {
				continue
			}
			n++
			ratio += *a.DurationRatio
			cuts += float64(a.Reconstruction.Cuts)
			of += float64(a.Original.Cuts)
			if a.Reconstruction.Cuts == a.Original.Cuts {
				same++
			}
		}
		row := []string{system, strconv.Itoa(n), "–", "–", "–", "–"}
		if n > 0 {
			mean := func(x float64) string { return fmt.Sprintf("%.2f", x/float64(n)) }
			copy(row[2:], []string{mean(ratio), mean(cuts), mean(of), fmt.Sprintf("%d of %d", same, n)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// ReadKey reads the key of a folder: the systems by their codes.
func ReadKey(dir string) (systems map[string]string, err error) {
	path := filepath.Join(dir, keyFile)
	f, err := os.Open(path)
	if err != nil {
		return nil, omniscope.Usagef("%s has no %s: name a folder that `omniscope reconstruct` wrote: %w", dir, keyFile, err)
	}
	defer f.Close()
	systems = make(map[string]string)
	for in := json.NewDecoder(f); ; {
		var k videoKey
		err := in.Decode(&k)
		if err == io.EOF {
			return systems, nil
		}
		if err != nil {
			return nil, omniscope.Invalidf("%s: %w", path, err)
		}
		if before, ok := systems[k.Code]; ok && before != k.System {
			return nil, omniscope.Invalidf("%s: %s stands for %s and for %s", path, k.Code, before, k.System)
		}
		systems[k.Code] = k.System
	}
}
