package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"omniscope"
	"omniscope/internal/ondisk"
)

// An entry is a known model and what is there of it.
type entry struct {
	Model   model
	Dir     string     // where it lies or would lie
	There   bool       // whole
	Info    folderInfo // if it is there
	Problem string     // why it is not whole, if something is there
}

// List says what is there of each known model under a root. A root that does
// not exist has none.
func List(root string) []entry {
	var all []entry
	for _, m := range Known {
		e := entry{Model: m, Dir: folder(root, m.Name)}
		info, err := readInfo(e.Dir, m)
		switch {
		case err == nil:
			e.There, e.Info = true, info
		case ondisk.IsTaken(e.Dir):
			e.Problem = err.Error()
		}
		all = append(all, e)
	}
	return all
}

// A Row is an entry in a list for programs.
type Row struct {
	Name         string `json:"name"`
	Kind         kind   `json:"kind"`
	Language     string `json:"language,omitempty"`
	Layer        int    `json:"layer,omitempty"`
	Repo         string `json:"repo"`
	Licence      string `json:"licence"`
	WeightsBytes int64  `json:"published_weights_bytes"`
	Dir          string `json:"dir"`
	There        bool   `json:"there"`
	Bytes        int64  `json:"bytes,omitempty"`
	From         string `json:"from,omitempty"`
	Problem      string `json:"problem,omitempty"`
}

// Row is the entry for programs.
func (e entry) Row() Row {
	m := e.Model
	return Row{m.Name, m.Kind, m.Language, m.Layer, m.Repo(), m.Licence, m.Weights, e.Dir, e.There, e.Info.Bytes(), e.Info.From, e.Problem}
}

// Verify compares the bytes of a folder with model.json. Those that differ are
// an error of kind Invalid.
func Verify(ctx context.Context, root, name string, o Options) (modelFolder, error) {
	f, err := Find(root, name)
	if err != nil {
		return f, err
	}
	for _, file := range f.Info.Files {
		sum, _, err := o.hash(ctx, filepath.Join(f.Dir, file.Name))
		if err != nil {
			return f, err
		}
		if sum != file.SHA256 {
			return f, &omniscope.Error{Kind: omniscope.Invalid, Op: "model " + name, Err: fmt.Errorf(
				"%s has the digest %s, %s says %s: it was changed or damaged; run `omniscope data remove %s` and get it again", filepath.Join(f.Dir, file.Name), sum, InfoFile, file.SHA256, name)}
		}
	}
	return f, nil
}

// Remove deletes a model's folder, whole or not. What the hub's cache has stays
// there.
func Remove(ctx context.Context, root, name string) error {
	m, err := known(name)
	if err != nil {
		return err
	}
	dir := folder(root, name)
	if !ondisk.IsTaken(dir) {
		return omniscope.NotFoundf("model %s is not in %s", name, root)
	}
	b := &maker{root: root, model: m}
	unlock, err := b.lock(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	// Renamed first, so that no process finds half of it.
	old := beside(dir, "old")
	return b.disk(errors.Join(os.RemoveAll(old), os.Rename(dir, old), os.RemoveAll(old)))
}
