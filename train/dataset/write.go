package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/metric/textnorm"
	"omniscope/results/report"
	"omniscope/session/production"
	"omniscope/train"
)

// The files of a data set beside those of trainers.
const (
	RowsFile       = "rows.jsonl"       // as `omniscope curate release` publishes them
	SourcesFile    = "sources.jsonl"    // licences and whom to name
	ProvenanceFile = "provenance.jsonl" // how each caption was made
	RemovedFile    = "removed.jsonl"    // what was left out, and why
	FunnelFile     = "funnel.json"      // how much each rule left out
)

// writing collects the digests of what is written.
type writing struct {
	*building
	files map[string]string // SHA-256 by name
}

// write writes all files but the media, the manifest last.
func (b *building) write(ctx context.Context) error {
	w := &writing{building: b, files: make(map[string]string)}
	rows := b.kept()
	for _, step := range []func([]*row) error{w.trainers, w.published, w.provenance, w.removed, w.funnel} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := step(rows); err != nil {
			return err
		}
	}
	if err := w.withMedia(ctx, rows); err != nil {
		return err
	}
	r := b.result()
	m := manifest{Schema: manifestSchema, Made: b.made(), Modality: b.modality, Rows: r.Kept, Hours: r.Hours, Funnel: b.stages, Files: w.files}
	if err := outfile.WriteIn(b.Out, manifestFile, func(out io.Writer) error { return outfile.JSON(out, &m) }); err != nil {
		return err
	}
	return os.Remove(filepath.Join(b.Out, unfinishedFile))
}

// withMedia writes the files that have rows and media in one.
func (w *writing) withMedia(ctx context.Context, rows []*row) error {
	most := w.ShardBytes
	if most <= 0 {
		most = 1 << 30
	}
	if w.WebDataset {
		if err := w.shards(rows, most, func(name string, shard []*row) error { return w.archive(ctx, name, shard) }); err != nil {
			return err
		}
	}
	if w.Parquet {
		return w.shards(rows, most, func(name string, shard []*row) error { return w.table(ctx, name, shard) })
	}
	return nil
}

// put writes a file.
func (w *writing) put(name string, text []byte) error {
	w.files[name] = sha256hex.Of(text)
	folder, base := filepath.Split(filepath.Join(w.Out, filepath.FromSlash(name)))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return outfile.WriteIn(folder, base, func(out io.Writer) error { _, err := out.Write(text); return err })
}

// trainers writes the rows of each trainer, a file for each part.
func (w *writing) trainers(rows []*row) error {
	for _, form := range w.Forms {
		texts := make(map[string]*bytes.Buffer)
		for _, r := range rows {
			line, err := form.Write(w.example(form, r))
			if err != nil {
				return err
			}
			part := w.split.Of(r.source)
			if texts[part] == nil {
				texts[part] = &bytes.Buffer{}
			}
			texts[part].Write(line)
		}
		info := make(map[string]string)
		for _, part := range parts {
			if texts[part] == nil {
				continue
			}
			if err := w.put(form.Name+"/"+part+".jsonl", texts[part].Bytes()); err != nil {
				return err
			}
			info["omni_"+part] = part + ".jsonl"
		}
		if !form.SoundApart {
			continue
		}
		text, err := train.DatasetInfo(info)
		if err != nil {
			return err
		}
		if err := w.put(form.Name+"/dataset_info.json", text); err != nil {
			return err
		}
	}
	return nil
}

// example is a row as a trainer learns it.
func (w *writing) example(form *train.Form, r *row) *train.Example {
	var videos, audios []string
	for _, f := range r.files {
		name := w.Prefix + path.Join(mediaFolder, f.Name)
		switch {
		case f.Made != soundCut:
			videos = append(videos, name)
		case form.SoundApart || w.modality == omniscope.Audio:
			audios = append(audios, name)
		}
	}
	return train.Caption(r.ID, r.Caption, videos, audios)
}

// published writes the rows and the sources in the form that a release has.
func (w *writing) published(rows []*row) error {
	var text, sources bytes.Buffer
	for _, r := range rows {
		err := errors.Join(
			outfile.Lines(&text, struct {
				ID       string             `json:"id"`
				File     string             `json:"file_name"`
				Caption  string             `json:"caption"`
				Modality omniscope.Modality `json:"modality"`
				Words    int                `json:"words"`
				Duration float64            `json:"duration"` // seconds
				Category string             `json:"category,omitempty"`
			}{r.ID, path.Join(mediaFolder, r.files[0].Name), r.Caption, w.modality, textnorm.CountWords(r.Caption), r.seconds(), r.field("category", "label")}),
			outfile.Lines(&sources, sourceOf(r)))
		if err != nil {
			return err
		}
	}
	if err := w.put(RowsFile, text.Bytes()); err != nil {
		return err
	}
	return w.put(SourcesFile, sources.Bytes())
}

// A source is what a clip is cut from, with its licence.
type source struct {
	ID          string     `json:"id"`
	SourceID    string     `json:"source_id"`
	Licence     string     `json:"licence,omitempty"`
	URL         string     `json:"url,omitempty"`
	Origin      string     `json:"origin,omitempty"`
	Attribution string     `json:"attribution,omitempty"`
	SHA256      string     `json:"sha256,omitempty"` // of the file that was described
	Span        *spanOf    `json:"span,omitempty"`
	Category    string     `json:"category,omitempty"`
	Made        string     `json:"media_made"` // how the file of media was made of it
	Media       []madeFile `json:"media"`
}

type spanOf struct {
	Start float64  `json:"start"` // in seconds
	End   *float64 `json:"end,omitempty"`
}

type madeFile struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

func sourceOf(r *row) source {
	s := source{ID: r.ID, SourceID: r.source, Licence: r.field("licence", "license"), Origin: r.field("origin"), Attribution: r.field("attribution"),
		Category: r.field("category", "label"), Made: r.files[0].Made}
	if u := r.field("source_url", "url"); strings.Contains(u, "://") {
		s.URL, _, _ = strings.Cut(u, "#t=")
	}
	if r.Summary != nil {
		s.SHA256 = r.Summary.SHA256
	}
	if r.Span != (omniscope.Span{}) {
		s.Span = &spanOf{Start: r.Span.Start.Seconds()}
		if r.Span.End > 0 {
			end := r.Span.End.Seconds()
			s.Span.End = &end
		}
	}
	for _, f := range r.files {
		s.Media = append(s.Media, madeFile{f.Name, f.Measured.SHA256})
	}
	return s
}

// provenance writes how each caption was made.
func (w *writing) provenance(rows []*row) error {
	var text bytes.Buffer
	for _, r := range rows {
		summary := r.Summary
		if r.Partial {
			summary = nil
		}
		err := outfile.Lines(&text, struct {
			ID            string              `json:"id"`
			CaptionSHA256 string              `json:"caption_sha256"`
			Part          string              `json:"part"`
			Investigation *production.Summary `json:"investigation,omitempty"`
			Report        *reported           `json:"report,omitempty"`
			Review        train.Review        `json:"review,omitempty"`    // by people; "" = the caption is not from a people's project
			Passed        []string            `json:"passed"`              // names of rules
			Unknown       []string            `json:"not_known,omitempty"` // names of rules that could not be applied
		}{r.ID, sha256hex.Of(r.Caption), w.split.Of(r.source), summary, r.report, r.review, w.passed(r, true), w.passed(r, false)})
		if err != nil {
			return err
		}
	}
	return w.put(ProvenanceFile, text.Bytes())
}

// passed returns the rules that were applied to a caption or, with known false, the rules that could not be applied because the
// caption lacks their fields.
func (b *building) passed(r *row, known bool) (names []string) {
	for _, s := range b.stages {
		if !s.Off && b.known(r, s.Rule) == known {
			names = append(names, s.Rule)
		}
	}
	return names
}

// removed writes what was left out.
func (w *writing) removed([]*row) error {
	var text bytes.Buffer
	for _, r := range w.rows {
		if r.rule == "" {
			continue
		}
		if err := outfile.Lines(&text, struct {
			ID   string `json:"id"`
			Rule string `json:"rule"`
			Why  string `json:"why"`
		}{r.ID, r.rule, r.why}); err != nil {
			return err
		}
	}
	return w.put(RemovedFile, text.Bytes())
}

// funnel writes the funnel as a table.
func (w *writing) funnel([]*row) error {
	var text bytes.Buffer
	if err := outfile.JSON(&text, FunnelTables(w.stages)); err != nil {
		return err
	}
	return w.put(FunnelFile, text.Bytes())
}

// FunnelTables returns the funnel as tables.
func FunnelTables(stages []stage) report.Comparison {
	t := omniscope.Table{Name: "funnel", Title: "Funnel", Columns: []string{"rule", "what is kept or measured", "limit", "left out", "left", "not known"}, Numbers: []int{3, 4, 5},
		Note: "Each caption counts at the first rule that leaves it out. Not known: remaining captions without the fields that the rule needs; they did not pass it."}
	for _, s := range stages {
		limit := s.Limit
		if s.Off {
			limit = "off"
		}
		t.Rows = append(t.Rows, []string{s.Rule, s.Means, limit, fmt.Sprint(s.Out), fmt.Sprint(s.Left), fmt.Sprint(s.Unknown)})
	}
	return report.Comparison{Schema: "omniscope/train-funnel/1", Title: "What was left out", Warnings: []string{}, Tables: []omniscope.Table{t}}
}
