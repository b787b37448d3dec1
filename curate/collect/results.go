package collect

import (
	"bytes"
	"fmt"
	"io"

	"omniscope/internal/outfile"
)

// Results are what a run came to.
type Results struct {
	About     collectionInfo
	Collected []collected
	Rejected  []rejected
	Funnel    []stage
	Files     int // that were compared with, of the folders to keep away from
	Warnings  []string
}

// collected is a line of collected.jsonl: an accepted clip. Further columns of the source's row stand in a field columns.
type collected struct {
	ID           string     `json:"id"`
	Path         string     `json:"path"` // from the folder of the results on; with --no-cut the source's own
	Digest       string     `json:"digest"`
	Span         [2]float64 `json:"span"` // seconds of the source
	Why          string     `json:"why"`  // this span
	SourceFile   string     `json:"source_file"`
	SourceDigest string     `json:"source_digest"`
	Source       string     `json:"source_id,omitempty"`  // the recording, channel or work
	URL          string     `json:"source_url,omitempty"` // not url: where lists of clips have one, the clip is fetched from there
	Licence      string     `json:"licence,omitempty"`
	Origin       string     `json:"origin,omitempty"`
	Attribution  string     `json:"attribution,omitempty"`
	Category     string     `json:"category,omitempty"`
	DurationBin  string     `json:"duration_bin"`
	Width        int        `json:"width,omitempty"`
	Height       int        `json:"height,omitempty"`
	Seconds      float64    `json:"seconds"` // of the clip
	Transitions  int        `json:"transitions"`
	Checks       []check    `json:"checks"`

	row []byte
}

// MarshalJSON adds the further columns of the source's row.
func (c collected) MarshalJSON() ([]byte, error) {
	type plain collected
	var b bytes.Buffer
	if err := outfile.Lines(&b, plain(c)); err != nil {
		return nil, err
	}
	text := bytes.TrimSpace(b.Bytes())
	return append(append(text[:len(text)-1:len(text)-1], further(c.row)...), '}'), nil
}

// rejected is a line of rejected.jsonl: a file that was left out, and the first rule that refused it.
type rejected struct {
	ID       string   `json:"id"`
	File     string   `json:"file"`
	Rule     string   `json:"rule"`
	Measured *float64 `json:"measured,omitempty"` // of rules with a limit
	Limit    *float64 `json:"limit,omitempty"`
	Reason   string   `json:"reason"`
	Copy     *copyOf  `json:"copy,omitempty"` // what it is a copy of
	Checks   []check  `json:"checks,omitempty"`
}

func (c *collecting) results(about collectionInfo) *Results {
	r := &Results{About: about, Files: c.against, Warnings: c.warnings}
	unlicensed := 0
	for _, k := range c.all {
		if k.rule != "" {
			r.Rejected = append(r.Rejected, k.rejected())
			continue
		}
		if k.Licence == "" {
			unlicensed++
		}
		r.Collected = append(r.Collected, c.collected(k))
	}
	if unlicensed > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf(`%d accepted clips have no licence: say it in the column "licence", or they cannot be published`, unlicensed))
	}
	r.Funnel = funnel(c.all)
	return r
}

func (c *collecting) collected(k *candidate) collected {
	return collected{
		ID: k.ID, Path: k.clip, Digest: k.digest, Span: [2]float64{k.segment.Start, k.segment.End}, Why: k.segment.Why,
		SourceFile: k.Path, SourceDigest: k.m.Digest, Source: k.Of, URL: k.URL, Licence: k.Licence, Origin: k.Origin, Attribution: k.Attribution, Category: k.Category,
		DurationBin: c.Rules.Bin(k.segment.Seconds()), Width: k.m.Width, Height: k.m.Height, Seconds: k.segment.Seconds(),
		Transitions: len(k.m.cutsIn(k.segment.Start, k.segment.End)), Checks: k.checks, row: k.Row,
	}
}

func (k *candidate) rejected() rejected {
	r := rejected{ID: k.ID, File: k.Path, Rule: k.rule, Reason: k.why, Copy: k.copy, Checks: k.checks}
	if check := refused(k.checks); check != nil && check.Rule == k.rule {
		r.Measured, r.Limit = &check.Measured, &check.Limit
	}
	return r
}

// write writes all files of the results.
func (r *Results) write(dir string) error {
	tables := r.Tables()
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"collected.jsonl", func(w io.Writer) error { return outfile.Lines(w, r.Collected...) }},
		{"rejected.jsonl", func(w io.Writer) error { return outfile.Lines(w, r.Rejected...) }},
		{"funnel.md", tables.Markdown},
		{"funnel.json", tables.JSON},
		{aboutFile, func(w io.Writer) error { return outfile.JSON(w, r.About) }},
	} {
		if err := outfile.WriteIn(dir, f.name, f.write); err != nil {
			return err
		}
	}
	return nil
}
