package benchdata

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/hub"
	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
	"omniscope/metric/neural/models"
	"omniscope/perceive/speech"
	"omniscope/session/catalog"
)

// A Check is the result of checking named data.
type Check struct {
	Name    string   `json:"name"`
	Data    string   `json:"data,omitempty"` // the benchmark's file that was read; "" = it is not here
	SHA256  string   `json:"sha256,omitempty"`
	Media   string   `json:"media,omitempty"` // folder
	Samples int      `json:"samples"`
	Files   int      `json:"files"`             // that the samples name, each once
	Missing []string `json:"missing,omitempty"` // of these
	Checked int      `json:"checked"`           // files whose digest was compared
	Damaged []string `json:"damaged,omitempty"` // of these
	Unlike  bool     `json:"unlike,omitempty"`  // Data is not the file of that name in the hub's cache
}

// Bad reports whether something is wrong.
func (c *Check) Bad() bool { return len(c.Missing)+len(c.Damaged) > 0 }

// Verifying are the settings of Verify.
type Verifying struct {
	Data     string // the benchmark's file; "" = that of the hub's cache
	Media    string // folder of its media; "" = that of Data
	Networks string // folder of networks; "" = the usual one
	Progress func(file string, done, total int64)
}

// Here returns the data of which something is on this machine.
func Here(root string) (names []dataName, err error) {
	for _, n := range allNames() {
		l, err := List([]dataName{n}, root)
		if err != nil {
			return nil, err
		}
		there := slices.ContainsFunc(l.Benchmarks, func(r row) bool { return len(r.Files) > 0 && r.Part != networksPart }) ||
			slices.ContainsFunc(l.Networks, func(r models.Row) bool { return r.There || r.Problem != "" }) ||
			slices.ContainsFunc(l.Packs, func(r packRow) bool { return r.There })
		if there {
			names = append(names, n)
		}
	}
	return names, nil
}

// Verify compares the files of named data with their digests. Of a benchmark it also finds out whether the media that the
// samples name are there.
func Verify(ctx context.Context, n dataName, v Verifying) (*Check, error) {
	switch n.Kind {
	case network:
		root, err := networkRoot(v.Networks)
		if err != nil {
			return nil, err
		}
		f, err := models.Verify(ctx, root, n.Name, networkOptions(v.Progress))
		if omniscope.KindOf(err) == omniscope.Invalid && err != nil {
			return &Check{Name: n.Name, Checked: len(f.Info.Files), Damaged: []string{err.Error()}}, nil
		}
		return &Check{Name: n.Name, Checked: len(f.Info.Files)}, err
	case pack:
		_, err := speech.Open(speech.Folder())
		if omniscope.KindOf(err) == omniscope.Invalid && err != nil {
			return &Check{Name: n.Name, Damaged: []string{err.Error()}}, nil
		}
		return &Check{Name: n.Name, Checked: speech.Files}, err
	}
	b, err := catalog.Benchmark(n.Name)
	if err != nil {
		return nil, err
	}
	return verifyBenchmark(ctx, b, v.Data, v.Media)
}

func verifyBenchmark(ctx context.Context, b bench.Benchmark, data, media string) (*Check, error) {
	info := b.Info()
	c := &Check{Name: info.Name}
	if err := c.checkCache(ctx, info); err != nil {
		return nil, err
	}
	here, _, err := findData(info, filepath.Base(data))
	if data == "" {
		here, _, err = findData(info, "")
		data = here
	}
	if err != nil || data == "" {
		return c, err
	}
	c.Data = data
	if c.SHA256, err = sha256hex.File(data); err != nil {
		return nil, err
	}
	if here != "" && here != data {
		sum, err := sha256hex.File(here)
		if err != nil {
			return nil, err
		}
		c.Unlike = sum != c.SHA256
	}
	if c.Media = media; media == "" {
		c.Media = filepath.Dir(data)
	}
	dataset, ok := b.(bench.Dataset)
	if !ok {
		return c, nil
	}
	return c, c.checkMedia(ctx, dataset)
}

// Text describes the check line by line. Of many missing files the first are named.
func (c *Check) Text() (lines []string) {
	const most = 10
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	say("%s: %d files compared with their digests, %d damaged", c.Name, c.Checked, len(c.Damaged))
	for _, path := range c.Damaged {
		say("  damaged: %s", path)
	}
	if n, _ := Find(c.Name); len(n) == 1 && n[0].Kind != Benchmark {
		return lines
	}
	if c.Data == "" {
		say("  the benchmark's file is not here: name it with --data")
		return lines
	}
	say("  %s\n  SHA-256 %s, %d samples", c.Data, c.SHA256, c.Samples)
	say("  media below %s: %d named, %d missing", c.Media, c.Files, len(c.Missing))
	for _, name := range c.Missing[:min(most, len(c.Missing))] {
		say("  missing: %s", name)
	}
	if more := len(c.Missing) - most; more > 0 {
		say("  and %d more (--json lists all)", more)
	}
	return lines
}

// checkCache compares digests.
func (c *Check) checkCache(ctx context.Context, info bench.Info) error {
	rows, err := Rows(info)
	if err != nil {
		return err
	}
	for _, row := range rows {
		for _, name := range row.Files {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			path := filepath.Join(row.Folder, filepath.FromSlash(name))
			intact, known, err := hub.Intact(path)
			if err != nil {
				return err
			}
			if known {
				c.Checked++
			}
			if known && !intact {
				c.Damaged = append(c.Damaged, path)
			}
		}
	}
	return nil
}

// checkMedia looks for the files that the samples name.
func (c *Check) checkMedia(ctx context.Context, dataset bench.Dataset) error {
	seen := make(map[string]bool)
	for s, err := range dataset.Samples(ctx, c.Data) {
		if err != nil {
			return err
		}
		c.Samples++
		for _, name := range []string{s.Media.Video, s.Media.Audio, s.Media.Text} {
			if name == "" || seen[name] {
				continue
			}
			seen[name] = true
			local := filepath.FromSlash(name)
			if !filepath.IsLocal(local) {
				return omniscope.Invalidf("sample %s: %q leads out of the folder of the media, %s", s.ID, name, c.Media)
			}
			if !ondisk.Exists(filepath.Join(c.Media, local)) {
				c.Missing = append(c.Missing, name)
			}
		}
	}
	c.Files = len(seen)
	return nil
}
