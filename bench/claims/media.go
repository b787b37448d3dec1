package claims

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/mediafiles"
)

// mediaFiles are the media files of a folder and below.
type mediaFiles struct {
	folder string
	all    []string
	byName map[string][]string // with the ending, and without
}

func findMedia(folder string) (*mediaFiles, error) {
	all, _, err := mediafiles.In(folder, "")
	if err != nil {
		return nil, omniscope.Usagef("--media %s: %w", folder, err)
	}
	m := &mediaFiles{folder: folder, all: all, byName: make(map[string][]string)}
	for _, path := range all {
		base := filepath.Base(path)
		m.byName[base] = append(m.byName[base], path)
		if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" {
			m.byName[name] = append(m.byName[name], path)
		}
	}
	return m, nil
}

// of returns the files that a clip may be. A clip's file has its name, with any ending. If several have, the
// clip's name may distinguish them by its folder and ending.
func (m *mediaFiles) of(clip string) []string {
	clip = strings.ReplaceAll(clip, `\`, "/")
	exact := m.byName[path.Base(clip)]
	if at := filepath.Join(m.folder, filepath.FromSlash(clip)); slices.Contains(exact, at) {
		return []string{at}
	}
	if len(exact) == 0 {
		exact = m.byName[bench.Stem(clip)]
	}
	if len(exact) > 1 {
		if own := m.inFolder(exact, clip); len(own) > 0 {
			return own
		}
	}
	return exact
}

// inFolder returns the files that are in the folder that the clip's name has.
func (m *mediaFiles) inFolder(paths []string, clip string) (own []string) {
	if !strings.Contains(clip, "/") {
		return nil
	}
	for _, path := range paths {
		name, err := filepath.Rel(m.folder, path)
		if err != nil {
			continue
		}
		name = filepath.ToSlash(name)
		if bench.MayBeSame(strings.TrimSuffix(name, filepath.Ext(name)), clip) {
			own = append(own, path)
		}
	}
	return own
}

// named are the files as clips that captions may be of.
func (m *mediaFiles) named() (all []bench.Named, err error) {
	for _, path := range m.all {
		name, err := filepath.Rel(m.folder, path)
		if err != nil {
			return nil, err
		}
		name = filepath.ToSlash(name)
		all = append(all, bench.Named{ID: name, Media: []string{name}})
	}
	return all, nil
}

// match makes sure that one clip at least has its file.
func (m *mediaFiles) match(captions *bench.TextFile) ([]string, error) {
	first, n := "", 0
	for _, id := range captions.IDs() {
		if id == "" {
			continue
		}
		if len(m.of(id)) > 0 {
			return nil, nil
		}
		if n++; n == 1 {
			first = id
		}
	}
	if n == 0 {
		return nil, omniscope.Invalidf("%s has no captions", captions.Lines.Path)
	}
	return nil, bench.Unnamed(omniscope.Usagef("none of the media of %d clips, such as %s, is in --media %s, which has %d video and sound files", n, first, m.folder, len(m.all)))
}

// setMedia finds the files of the clips.
func (e *evaluation) setMedia(m *mediaFiles) error {
	missing, first := 0, ""
	for i := range e.clips {
		c := &e.clips[i]
		switch there := m.of(c.id); len(there) {
		case 0:
			if missing++; missing == 1 {
				first = c.id
			}
		case 1:
			c.path = there[0]
		default:
			return omniscope.Usagef("clip %s may be %s or %s: keep one of them below --media", c.id, there[0], there[1])
		}
	}
	if missing == len(e.clips) {
		return omniscope.Usagef("none of the media of %d clips, such as %s, is in --media %s, which has %d video and sound files", missing, first, m.folder, len(m.all))
	}
	if missing > 0 {
		e.plan.Warn("the media of %d of %d clips, such as %s, are not in %s; their captions are not audited", missing, len(e.clips), first, m.folder)
	}
	return nil
}
