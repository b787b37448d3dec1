package mcif

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"omniscope"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
)

// unfinished is the folder below the set's in which it is made. What a killed command leaves there, the next one removes.
const unfinished = ".unfinished"

// write makes all files in a folder of their own, and moves them to their place when all are there. It returns what
// could not be joined of the videos.
func (t *set) write(ctx context.Context) (unjoined []error, err error) {
	out := t.o.Out
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, omniscope.Usagef("--out %s: %w", out, err)
	}
	unlock, err := outfile.LockFolder(out)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := t.refuseOverwriting(); err != nil && !t.o.Force {
		return nil, err
	}
	dir := filepath.Join(out, unfinished)
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := t.makeFolders(dir); err != nil {
		return nil, err
	}
	if unjoined, err = t.writeFiles(ctx, dir); err != nil {
		return nil, err
	}
	for i := range t.documents {
		if err := t.writeDocument(dir, &t.documents[i]); err != nil {
			return nil, err
		}
	}
	if t.o.Force {
		if err := t.removeEarlier(); err != nil {
			return nil, err
		}
	}
	for _, name := range t.names() {
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(out, name)); err != nil {
			return nil, err
		}
	}
	return unjoined, nil
}

// folders are those of the set's files that are no XML.
func (t *set) folders() []string {
	names := []string{"LONG_AUDIOS", "SHORT_AUDIOS"}
	if t.o.Video {
		names = append(names, "LONG_VIDEOS", "SHORT_VIDEOS")
	}
	if t.o.Text {
		names = append(names, "LONG_TEXTS")
	}
	return names
}

// names are all that the set's folder will hold.
func (t *set) names() []string {
	names := t.folders()
	for i := range t.documents {
		for _, f := range t.xmlFiles(&t.documents[i]) {
			names = append(names, f.name)
		}
	}
	return names
}

func (t *set) refuseOverwriting() error {
	for _, name := range t.names() {
		if path := filepath.Join(t.o.Out, name); ondisk.IsTaken(path) {
			return omniscope.Usagef("%s is there already: name another folder with --out, or replace it with --force", path)
		}
	}
	return nil
}

// removeEarlier removes what an earlier command wrote: the XML first, so that none speaks of media that are not there.
func (t *set) removeEarlier() error {
	earlier, err := filepath.Glob(filepath.Join(t.o.Out, "*.IF.*.xml"))
	if err != nil {
		return err
	}
	for _, name := range []string{"LONG_AUDIOS", "LONG_VIDEOS", "LONG_TEXTS", "SHORT_AUDIOS", "SHORT_VIDEOS"} {
		earlier = append(earlier, filepath.Join(t.o.Out, name))
	}
	for _, path := range earlier {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

func (t *set) makeFolders(dir string) error {
	for _, name := range t.folders() {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// An xmlFile is one of the files of a document.
type xmlFile struct {
	name  string
	write func(io.Writer) error
}

func (t *set) xmlFiles(d *document) []xmlFile {
	start := t.o.Name + ".IF." + d.track + "." + d.language + "."
	definitions := func(name string, all *mcifxml.Definitions) xmlFile {
		return xmlFile{start + "src." + name + "prompts.xml", func(w io.Writer) error {
			all.Root, all.Track, all.Lang = t.o.Name, d.track, d.language
			return mcifxml.WriteDefinitions(w, all)
		}}
	}
	return []xmlFile{definitions("fixed", &d.fixed), definitions("mixed", &d.mixed),
		{start + "ref.xml", func(w io.Writer) error {
			d.references.Root, d.references.Track, d.references.Lang = t.o.Name, d.track, d.language
			return mcifxml.WriteReferences(w, &d.references)
		}}}
}

func (t *set) writeDocument(dir string, d *document) error {
	for _, f := range t.xmlFiles(d) {
		if err := outfile.WriteIn(dir, f.name, f.write); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}
