package capricorn

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/input"
	"omniscope/internal/ondisk"
)

// reportSchema is the form of investigations that is read here; detective.ReportSchema writes it.
const reportSchema = "omniscope.investigation/1"

// A report is what is needed of an investigation's report.json.
type report struct {
	Schema string `json:"schema"`
	Clip   struct {
		ID     string  `json:"id"`
		Path   string  `json:"path"`
		StartS float64 `json:"start_s"`
		EndS   float64 `json:"end_s"` // 0 = to the end
		Length float64 `json:"length_s"`
	} `json:"clip"`
	Planner string `json:"planner"`
	Ledger  []struct {
		ID     string             `json:"id"`
		Sense  omniscope.Modality `json:"sense"`
		StartS float64            `json:"start_s"`
		EndS   float64            `json:"end_s"` // 0 = to the end
	} `json:"ledger"`
	Caption *struct {
		Sentences []struct {
			Text     string   `json:"text"`
			Evidence []string `json:"evidence"`
		} `json:"sentences"`
	} `json:"caption"`

	seconds float64 // of the whole video; 0 = not known
	drafts  []draft
}

// readDrafts reads the investigations of a folder: report.json in each folder in it.
func (p *making) readDrafts(ctx context.Context, m *maker) error {
	if m.Drafts == "" {
		return nil
	}
	files, err := fs.Glob(os.DirFS(m.Drafts), "*/report.json")
	if err != nil {
		return err
	}
	if ondisk.Exists(filepath.Join(m.Drafts, "report.json")) {
		files = append(files, "report.json")
	}
	if len(files) == 0 {
		return omniscope.NotFoundf("--drafts %s: there is no NAME/report.json in it: name the folder that 'omniscope caption --out' wrote", m.Drafts)
	}
	p.reports = make(map[string]*report)
	for _, file := range files {
		file = filepath.Join(m.Drafts, file)
		r, err := readReport(ctx, file)
		if err != nil {
			return err
		}
		id := bench.Stem(r.Clip.Path)
		if p.reports[id] != nil {
			p.warn("%s is a second investigation of %s, and is left out", file, id)
			continue
		}
		p.reports[id] = r
	}
	return nil
}

func readReport(ctx context.Context, file string) (*report, error) {
	text, _, err := input.ReadFile(ctx, file, input.Texts)
	if err != nil {
		return nil, err
	}
	r := &report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, omniscope.Invalidf("%s is no investigation: %w", file, err)
	}
	if r.Schema != reportSchema {
		return nil, omniscope.Invalidf("%s: its form is %q, and %q is read here: investigate again with this version", file, r.Schema, reportSchema)
	}
	if r.Clip.StartS == 0 && r.Clip.EndS == 0 {
		r.seconds = r.Clip.Length
	}
	if r.Caption != nil {
		for _, s := range r.Caption.Sentences {
			r.drafts = append(r.drafts, r.draft(s.Text, s.Evidence))
		}
	}
	return r, nil
}

// draft is a sentence with the time from its first evidence to its last. Evidence of the whole clip
// says nothing of time.
func (r *report) draft(text string, evidence []string) draft {
	d := draft{Text: text, Evidence: evidence, By: r.Planner}
	var sight, sound bool
	for _, e := range r.Ledger {
		if !slices.Contains(evidence, e.ID) {
			continue
		}
		sight = sight || e.Sense != omniscope.Audio
		sound = sound || e.Sense != omniscope.Visual
		end := e.EndS
		if end == 0 {
			end = r.Clip.StartS + r.Clip.Length
		}
		if e.StartS <= r.Clip.StartS && e.EndS == 0 || end < e.StartS {
			continue
		}
		start := e.StartS
		if d.Start == nil || start < *d.Start {
			d.Start = &start
		}
		if d.End == nil || end > *d.End {
			d.End = &end
		}
	}
	if sight {
		d.Senses = append(d.Senses, "sight")
	}
	if sound {
		d.Senses = append(d.Senses, "sound")
	}
	return d
}
