package benchdata

import (
	"context"
	"path/filepath"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/hub"
	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
)

// A Check is what was found of a benchmark's data.
type Check struct {
	Data    string   `json:"data,omitempty"` // the benchmark's file that was read; "" = none is here
	SHA256  string   `json:"sha256,omitempty"`
	Media   string   `json:"media,omitempty"` // folder
	Samples int      `json:"samples"`
	Files   int      `json:"files"`             // that the samples name, each once
	Missing []string `json:"missing,omitempty"` // of these
	Checked int      `json:"checked"`           // files of the hub's cache whose digest was compared
	Damaged []string `json:"damaged,omitempty"` // of these
	Unlike  bool     `json:"unlike,omitempty"`  // Data is not the file of that name in the hub's cache
}

// Bad reports whether something is wrong.
func (c *Check) Bad() bool { return len(c.Missing)+len(c.Damaged) > 0 }

// Verify compares the files of the hub's cache with their digests, and finds out
// whether the media that the samples name are there. data is the benchmark's file
// ("" = that of the cache), media the folder of its media ("" = that of data).
func Verify(ctx context.Context, b bench.Benchmark, data, media string) (*Check, error) {
	info := b.Info()
	c := &Check{}
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
