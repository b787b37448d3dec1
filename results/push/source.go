package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"omniscope"
	"omniscope/internal/filename"
	"omniscope/results"
)

// A source is a folder or a file that is pushed. Nothing outside of it is opened:
// os.Root follows no link that leads out.
type source struct {
	path    string // as given
	root    *os.Root
	only    string // the one file; "" = all
	prefix  string // before the names in the repository; "" = none
	release bool
	hasRuns bool
}

// versionFile is what `omniscope curate release` puts into each release.
const versionFile = "VERSION.json"

func openSource(given string) (*source, error) {
	info, err := os.Stat(given)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, omniscope.NotFoundf("%s: no such file or folder: name folders of runs, files of predictions, or a release", given)
	}
	if err != nil {
		return nil, err
	}
	s := &source{path: given, prefix: "predictions"}
	folder := given
	if !info.IsDir() {
		folder, s.only = filepath.Dir(given), filepath.Base(given)
	}
	if s.root, err = os.OpenRoot(folder); err != nil {
		return nil, err
	}
	if s.only != "" {
		return s, nil
	}
	s.release = s.has(versionFile) && s.has("README.md")
	whole, err := filepath.Abs(given)
	if err != nil {
		return nil, err
	}
	name := filename.Safe(filepath.Base(whole))
	switch s.hasRuns, err = s.findRuns(); {
	case err != nil:
		return nil, err
	case s.release:
		s.prefix = ""
	case s.hasRuns && name == "runs":
		s.prefix = name
	case s.hasRuns:
		s.prefix = path.Join("runs", name)
	default:
		s.prefix = path.Join("predictions", name)
	}
	return s, nil
}

func (s *source) has(name string) bool {
	info, err := s.root.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// findRuns reports whether there are results of runs anywhere in the folder.
func (s *source) findRuns() (found bool, err error) {
	err = fs.WalkDir(s.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() == results.File {
			found = true
			return fs.SkipAll
		}
		return err
	})
	return found, err
}

// addSource adds the files of a source, checked.
func (p *Plan) addSource(ctx context.Context, s *source, c *checker) error {
	defer p.refusePersonal(c)
	if s.only != "" {
		if why := c.leftOut(s.only); why != "" {
			p.leaveOut(s, s.only, why)
			return nil
		}
		return p.addFile(ctx, s, s.only, c)
	}
	p.folders = append(p.folders, s.path)
	return fs.WalkDir(s.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if why := c.leftOut(name); why != "" {
			p.leaveOut(s, name, why)
			return skip(d)
		}
		if d.IsDir() {
			return nil
		}
		return p.addFile(ctx, s, name, c)
	})
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func (p *Plan) leaveOut(s *source, name, why string) {
	p.LeftOut = append(p.LeftOut, refusal{File: s.shown(name), Why: why})
}

func (p *Plan) refuse(s *source, name string, line int, why string) {
	p.Refused = append(p.Refused, refusal{s.shown(name), line, why})
}

// shown is a file of the source, for people.
func (s *source) shown(name string) string {
	if s.only != "" {
		return s.path
	}
	return filepath.Join(s.path, filepath.FromSlash(name))
}

// addFile checks one file. A link that leads to another file of the source is that file.
func (p *Plan) addFile(ctx context.Context, s *source, name string, c *checker) error {
	target := path.Join(s.prefix, name)
	if what := c.inName(target); what != "" {
		shown := "a file in " + s.path
		if c.inName(s.path) != "" {
			shown = "a source"
		}
		p.Refused = append(p.Refused, refusal{File: shown, Why: "its name cannot leave: " + what})
		return nil
	}
	if strings.ContainsFunc(target, unicode.IsControl) {
		p.refuse(s, name, 0, "its name has a line end or another control character: rename it")
		return nil
	}
	info, err := s.root.Stat(name)
	switch {
	case err != nil:
		p.refuse(s, name, 0, "it cannot be opened, or is a link that leads out of the source")
		return nil
	case info.IsDir():
		p.refuse(s, name, 0, "it is a link to a folder: push that folder itself")
		return nil
	case !info.Mode().IsRegular():
		p.refuse(s, name, 0, "it is no regular file")
		return nil
	}
	file, err := s.root.Open(name)
	if err != nil {
		p.refuse(s, name, 0, "it cannot be read: "+reason(err))
		return nil
	}
	found, err := c.check(ctx, file, s.shown(name))
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	for _, r := range found.refused {
		p.refuse(s, name, r.Line, r.Why)
	}
	if found.home > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s names your home folder, first in line %d", s.shown(name), found.home))
	}
	p.Files = append(p.Files, pushedFile{Name: target, From: s.shown(name), Size: found.size, SHA256: found.sha256, State: newFile,
		open: func() (io.ReadCloser, error) { return s.open(name, found.size, info.ModTime()) }})
	if path.Base(name) == results.File && len(found.refused) == 0 {
		p.Runs = append(p.Runs, runEntry{dir: filepath.Dir(s.shown(name)), target: path.Dir(target)})
	}
	return nil
}

func reason(err error) string {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return err.Error()
}

// open opens a file that must be as it was when it was checked.
func (s *source) open(name string, size int64, changed time.Time) (io.ReadCloser, error) {
	f, err := s.root.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && (info.Size() != size || !info.ModTime().Equal(changed)) {
		err = fmt.Errorf("%s was changed since it was checked", s.shown(name))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// refusePersonal refuses what lies beside a document with tables of single people: it may
// hold the same tables in another form.
func (p *Plan) refusePersonal(c *checker) {
	for _, doc := range c.personal {
		folder := filepath.Dir(doc)
		p.Refused = append(p.Refused, refusal{File: doc, Why: "it has tables that tell how single people work, which are not published: leave its folder out (--leave-out)"})
		p.Files = slices.DeleteFunc(p.Files, func(f pushedFile) bool { return filepath.Dir(f.From) == folder })
	}
	c.personal = nil
}
