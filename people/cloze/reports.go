package cloze

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/people/captions"
)

// reports are the investigations of a folder. Their files stay there until they are asked for.
type reports struct{ files map[string]string } // by the name of the clip

// A report is what counts here of an investigation's report.json.
type report struct {
	Clip struct {
		ID   string `json:"id"`
		Path string `json:"path"`
	} `json:"clip"`
	Ledger []struct {
		ID    string  `json:"id"`
		Tool  string  `json:"tool"`
		What  string  `json:"what"`
		Start float64 `json:"start_s"`
		End   float64 `json:"end_s"`
	} `json:"ledger"`
	Caption *struct {
		Text      string `json:"text"`
		Sentences []struct {
			Text     string   `json:"text"`
			Evidence []string `json:"evidence"`
		} `json:"sentences"`
	} `json:"caption"`
}

// readReports finds the investigations in a folder.
func readReports(folder string) (*reports, error) {
	paths, err := fs.Glob(os.DirFS(folder), "*/report.json")
	if err != nil || len(paths) == 0 {
		return nil, omniscope.Usagef("--investigations: %s holds no folders with a report.json: name the folder that 'omniscope caption --out' wrote", folder)
	}
	all := &reports{files: make(map[string]string)}
	for _, path := range paths {
		path = filepath.Join(folder, path)
		r, err := readReport(path)
		if err != nil {
			return nil, err
		}
		for _, name := range []string{r.Clip.Path, r.Clip.ID} {
			if name != "" {
				all.files[bench.Stem(name)] = path
			}
		}
	}
	return all, nil
}

func readReport(path string) (*report, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, omniscope.Invalidf("%s is no report of an investigation: %w", path, err)
	}
	return r, nil
}

// support adds the evidence that an investigation of the clip has for sentences. Without a description, the investigation's
// caption becomes the description.
func (r *reports) support(c *captions.Caption, names []string) error {
	at := slices.IndexFunc(names, func(name string) bool { return r.files[bench.Stem(name)] != "" })
	if at < 0 {
		return nil
	}
	found, err := readReport(r.files[bench.Stem(names[at])])
	if err != nil || found.Caption == nil {
		return err
	}
	if c.Text == "" {
		*c = captions.CaptionOf(found.Caption.Text)
	}
	for i := range c.Sentences {
		c.Sentences[i].Evidence = found.evidence(c.Sentences[i].Text)
	}
	return nil
}

// evidence returns the evidence of a sentence of the report's caption; nil = the caption has no such sentence.
func (r *report) evidence(sentence string) (out []captions.Evidence) {
	for _, one := range r.Caption.Sentences {
		if one.Text != sentence {
			continue
		}
		for _, seen := range r.Ledger {
			if !slices.Contains(one.Evidence, seen.ID) {
				continue
			}
			e := captions.Evidence{ID: seen.ID, Tool: seen.Tool, What: seen.What}
			e.Between(seen.Start, seen.End)
			out = append(out, e)
		}
		return out
	}
	return nil
}
