package mcif

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/langcode"
	"omniscope/internal/ondisk"
)

// references returns the file of references: the user's, that of the track and
// language in the user's folder, or that of the hub.
func (b Benchmark) references(ctx context.Context, in bench.Inputs) (path string, warnings []string, err error) {
	switch {
	case !searched(in):
		return in.Data, nil, nil // what is wrong with a file, reading it tells
	case in.Data == "":
		return b.fromHub(ctx, in.Download)
	}
	names := referenceNames(b.Version, b.Track, b.Lang)
	for _, name := range names {
		path := filepath.Join(in.Data, name)
		if ondisk.Exists(path) {
			return path, nil, nil
		}
	}
	return "", nil, omniscope.NotFoundf("%s holds no references for track %s, language %s: it should have a file %s",
		in.Data, b.Track, b.Lang, strings.Join(names[:2], " or "))
}

// searched reports whether the references are looked for, in a folder or on the
// hub.
func searched(in bench.Inputs) bool {
	info, err := os.Stat(in.Data)
	return in.Data == "" || err == nil && info.IsDir()
}

func (b Benchmark) fromHub(ctx context.Context, download bench.Download) (path string, warnings []string, err error) {
	if !slices.Contains(languages, b.Lang) {
		return "", nil, notOnHub(b.Lang)
	}
	if download == nil {
		return "", nil, omniscope.Usagef("give the references with --reference FILE")
	}
	return download(ctx, bench.DatasetFile{Dataset: hubRepo, Revision: b.Version, Name: hubFile(b.Version, b.Track, b.Lang), ByHand: "give it with --reference FILE"})
}

func notOnHub(lang string) error {
	return omniscope.Usagef("the hub has no references in %q, only in %s: name a file with --reference%s", lang, strings.Join(languages, ", "), langcode.Hint(lang, languages))
}

var _ bench.Exporter = Benchmark{}

// Exports implements bench.Exporter: the outputs in the official form.
func (b Benchmark) Exports(ctx context.Context, in bench.Inputs) ([]bench.Page, error) {
	if b.WriteOutput == "" {
		return nil, nil
	}
	out, err := b.ReadOutputs(ctx, outputFiles(in))
	if err != nil {
		return nil, err
	}
	return []bench.Page{{Name: b.WriteOutput, Write: func(w io.Writer) error { return mcifxml.WriteOutput(w, out) }}}, nil
}

// outputFiles are the files of a system's outputs.
func outputFiles(in bench.Inputs) []string { return append([]string{in.Predictions}, in.Parts...) }
