package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/ondisk"
)

// weightNames are where weights lie in folders as transformers and COMET keep
// them, ours first.
var weightNames = []string{WeightsFile, "pytorch_model.bin", "checkpoints/model.ckpt", "model.ckpt"}

// Import makes the model folder called as of files that are here: a folder with
// weights and what goes with them, as transformers or COMET keep it, or a file
// of weights with the rest beside it. A folder that was there is replaced, once
// the new one is known to be good.
//
// Errors are NotFound: a file is missing; Invalid: the files do not fit each
// other or the model; Usage: there is no such model.
func Import(ctx context.Context, root, path, as string, o Options) (modelFolder, error) {
	m, err := known(as)
	if err != nil {
		return modelFolder{}, err
	}
	parts, err := collect(path, m)
	if err != nil {
		return modelFolder{}, err
	}
	from := path
	if abs, err := filepath.Abs(path); err == nil {
		from = abs
	}
	for i := range parts {
		parts[i].link = o.Link
	}
	b := &maker{Options: o, root: root, model: m, from: from, imported: true}
	return b.build(ctx, parts)
}

// collect finds the files that a model needs.
func collect(path string, m model) ([]part, error) {
	info, err := os.Stat(path)
	if err != nil {
		kind := omniscope.Internal
		if errors.Is(err, fs.ErrNotExist) {
			kind = omniscope.NotFound
		}
		return nil, &omniscope.Error{Kind: kind, Op: "import model", Err: err}
	}
	dir, weights := path, ""
	if info.IsDir() {
		weights = firstFile(dir, weightNames)
	} else {
		weights, dir = path, filepath.Dir(path)
		if filepath.Base(dir) == "checkpoints" {
			dir = filepath.Dir(dir)
		}
	}
	var parts []part
	missing := make(map[string][]string) // by the hub's repository that has them
	for _, s := range m.sources {
		file, name := filepath.Join(dir, s.file), s.file
		if s.file == WeightsFile {
			file, name = weights, strings.Join(weightNames[:3], " or ")
		}
		if !ondisk.IsFile(file) {
			missing[s.repos[0]] = append(missing[s.repos[0]], name)
			continue
		}
		parts = append(parts, part{name: s.file, path: file, source: fileSource{Path: filepath.Base(file)}})
	}
	if len(missing) > 0 {
		var lacks []string
		for _, repo := range slices.Sorted(maps.Keys(missing)) {
			lacks = append(lacks, strings.Join(missing[repo], ", ")+" (of "+repo+")")
		}
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Op: "import model " + m.Name, Err: fmt.Errorf(
			"%s lacks %s: put it there, or let `omniscope data get %s` download everything", dir, strings.Join(lacks, " and "), m.Name)}
	}
	return parts, nil
}

func firstFile(dir string, names []string) string {
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if ondisk.IsFile(path) {
			return path
		}
	}
	return ""
}

// inherit keeps what is known of files that come from another model folder, such
// as one that was carried to a machine without a connection. Of others the
// licence is not known.
func (b *maker) inherit(info *folderInfo, parts []part) {
	info.Licence = ""
	old, err := readInfo(filepath.Dir(parts[0].path), b.model)
	if err != nil {
		return
	}
	files := slices.Clone(info.Files)
	for i, f := range files {
		j := slices.IndexFunc(old.Files, func(was file) bool { return was.Name == f.Name && was.SHA256 == f.SHA256 })
		if j < 0 {
			return
		}
		files[i] = old.Files[j]
	}
	info.Files, info.From, info.MadeBy, info.Licence = files, old.From, old.MadeBy, old.Licence
}
