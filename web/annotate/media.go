package annotate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"omniscope"
	"omniscope/media/proxy"
	"omniscope/people"
	"omniscope/web"
)

// MediaOptions say where clips are.
type MediaOptions struct {
	Roots  []string // folders; nothing outside of them is served
	Folder string   // for what is made of clips ahead
}

// media finds the clips of items below declared folders, and has made ahead what browsers need to
// show them.
type media struct {
	roots  []*os.Root
	paths  []string // of the roots
	folder string
	muted  bool // films without sound are wanted, too

	mu      sync.Mutex
	files   map[string]string          // found, by the name in the project
	ready   map[string]*proxy.Prepared // by path
	trouble map[string]error
	wanted  chan string // what somebody waits for
}

// OpenMedia opens the folders.
func OpenMedia(o MediaOptions) (*media, error) {
	m := &media{folder: o.Folder, files: make(map[string]string), ready: make(map[string]*proxy.Prepared), trouble: make(map[string]error), wanted: make(chan string, 100)}
	for _, dir := range o.Roots {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, omniscope.Usagef("--media %s: %v", dir, err)
		}
		m.roots, m.paths = append(m.roots, root), append(m.paths, dir)
	}
	return m, nil
}

// find is the path of a clip that a project names: below a folder, as it is named, or with any
// ending of film or sound. A name that leads out of the folders is none.
func (m *media) find(name string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p, ok := m.files[name]; ok {
		return p, nil
	}
	for i, root := range m.roots {
		for _, candidate := range append([]string{name, path.Base(filepath.ToSlash(name))}, withEndings(name)...) {
			local := filepath.FromSlash(strings.TrimPrefix(candidate, "./"))
			if !filepath.IsLocal(local) {
				continue
			}
			if info, err := root.Stat(local); err == nil && info.Mode().IsRegular() {
				m.files[name] = filepath.Join(m.paths[i], local)
				return m.files[name], nil
			}
		}
	}
	return "", omniscope.NotFoundf("the clip %s is below none of the folders of --media", name)
}

// Missing are the clips of a project that are below none of the folders.
func (m *media) Missing(w *people.Workplace) (names []string) {
	seen := make(map[string]bool)
	for _, item := range w.Items() {
		for _, file := range w.MediaOf(item) {
			if seen[file.File] {
				continue
			}
			seen[file.File] = true
			if _, err := m.find(file.File); err != nil {
				names = append(names, file.File)
			}
		}
	}
	return names
}

// endings are those of clips that a project names without one.
var endings = []string{".mp4", ".mkv", ".webm", ".mov", ".avi", ".m4v", ".wav", ".mp3", ".flac", ".m4a", ".ogg", ".opus"}

func withEndings(name string) (names []string) {
	if slices.Contains(endings, strings.ToLower(path.Ext(name))) {
		return nil
	}
	for _, e := range endings {
		names = append(names, name+e)
	}
	return names
}

// prepared is what was made of a clip; nil = it is being made.
func (m *media) prepared(name string) (*proxy.Prepared, error) {
	file, err := m.find(name)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.trouble[file]; err != nil {
		return nil, err
	}
	if m.ready[file] == nil {
		select {
		case m.wanted <- file:
		default: // so many are waited for that it has to wait for its turn
		}
	}
	return m.ready[file], nil
}

// PrepareAll makes ahead what browsers need of the clips of a project, one clip after another,
// those first that somebody waits for, until ctx ends.
func (m *media) PrepareAll(ctx context.Context, w *people.Workplace) {
	m.muted = slices.ContainsFunc(w.Project().Stages, func(s people.Stage) bool { return s.Sound == people.Muted })
	for _, item := range w.Items() {
		for _, file := range w.MediaOf(item) {
			m.prepareWanted(ctx)
			if p, err := m.find(file.File); err == nil {
				m.prepare(ctx, p)
			}
		}
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case p := <-m.wanted:
			m.prepare(ctx, p)
		}
	}
}

func (m *media) prepareWanted(ctx context.Context) {
	for {
		select {
		case p := <-m.wanted:
			m.prepare(ctx, p)
		default:
			return
		}
	}
}

func (m *media) prepare(ctx context.Context, file string) {
	m.mu.Lock()
	done := m.ready[file] != nil || m.trouble[file] != nil
	m.mu.Unlock()
	if done || ctx.Err() != nil {
		return
	}
	p, err := proxy.Prepare(ctx, file, m.folder, proxy.Options{Muted: m.muted})
	if ctx.Err() != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ready[file] = p; err != nil {
		m.trouble[file] = fmt.Errorf("this clip cannot be shown: %w", err)
	}
}

// A mediaData is a clip as the scripts of a page need it.
type mediaData struct {
	Title   string `json:"title,omitempty"`
	Address string `json:"address"` // of its folder
	Trouble string `json:"trouble,omitempty"`
}

// mediaData are the clips of a task.
func (s *Site) mediaData(about *people.WorkItem, runs bool) []mediaData {
	files := about.Item.Media
	if about.Stage.Sound == people.NoMedia || s.Media == nil {
		return nil
	}
	out := make([]mediaData, len(files))
	for i, f := range files {
		out[i] = mediaData{Title: f.Title, Address: fmt.Sprintf("/clip/%s/%s/%d/", url.PathEscape(about.Stage.Name), url.PathEscape(about.Item.ID), i)}
		if _, err := s.Media.prepared(f.File); err != nil {
			out[i].Trouble = clipTrouble(err, i, about.Item.ID, runs).Error()
		}
	}
	return out
}

// clipTrouble says why a clip is not shown. The names of files may say whose they are: those who run
// the project see them, and nobody else.
func clipTrouble(err error, n int, item string, runs bool) error {
	if runs {
		return err
	}
	return &omniscope.Error{Kind: omniscope.KindOf(err), Err: fmt.Errorf("clip %d of %s cannot be shown: owners and leads see why at the same address", n+1, item)}
}

// clip sends a file of a clip: of an item that the person works on, or of any to those who run the
// project. Clips go by number: their names may say whose they are.
func (s *Site) clip(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	id := taskOf(r, p)
	stage := s.stage(id.Stage)
	if stage == nil || s.Media == nil || stage.Sound == people.NoMedia {
		return omniscope.NotFoundf("there is no clip here")
	}
	if _, taken := s.Workplace.Task(id); !taken && !mayRun(p) {
		return denied("take the item first")
	}
	n, name, err := s.clipName(r, id)
	if err != nil {
		return err
	}
	made, err := s.Media.prepared(name)
	if err != nil {
		return clipTrouble(err, n, id.Item, mayRun(p))
	}
	file := r.PathValue("file")
	if file == "ready" {
		return s.clipReady(w, made, stage)
	}
	if made == nil {
		w.Header().Set("Retry-After", "2")
		return &omniscope.Error{Kind: omniscope.Transient, Err: errors.New("the clip is being made ready")}
	}
	return s.sendFile(w, r, made, stage, file)
}

func (s *Site) stage(name string) *people.Stage {
	p := s.Workplace.Project()
	return p.Stage(name)
}

func (s *Site) clipName(r *http.Request, id people.TaskID) (n int, name string, err error) {
	files := s.Workplace.MediaOf(id.Item)
	if n, err := strconv.Atoi(r.PathValue("n")); err == nil && n >= 0 && n < len(files) {
		return n, files[n].File, nil
	}
	return 0, "", omniscope.NotFoundf("there is no clip %s of %s", cmp.Or(r.PathValue("n"), "0"), id.Item)
}

// A clipInfo is what a page asks before it shows a clip.
type clipInfo struct {
	Ready  bool         `json:"ready"`
	Film   bool         `json:"film"`
	Player string       `json:"player,omitempty"` // files, by name
	Times  string       `json:"times,omitempty"`
	Peaks  string       `json:"peaks,omitempty"`
	Shots  []proxy.Shot `json:"shots,omitempty"`
}

func (s *Site) clipReady(w http.ResponseWriter, made *proxy.Prepared, stage *people.Stage) error {
	info := clipInfo{}
	if made != nil {
		shots, err := made.Shots()
		if err != nil {
			return err
		}
		info = clipInfo{Ready: true, Film: made.Film, Player: made.Player(), Times: named(made, proxy.TimesFile), Peaks: named(made, proxy.PeaksFile), Shots: shots}
		if stage.Sound == people.Muted {
			info.Player, info.Peaks = named(made, proxy.MutedFile), ""
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	return json.NewEncoder(w).Encode(info)
}

// named is the name of a file that is there, "" = it is not.
func named(made *proxy.Prepared, name string) string {
	if made.Path(name) == "" {
		return ""
	}
	return name
}

// sendFile sends a file that was made of a clip, in parts where the player asks for parts. Where a
// stage is muted, nothing with sound is sent.
func (s *Site) sendFile(w http.ResponseWriter, r *http.Request, made *proxy.Prepared, stage *people.Stage, name string) error {
	sound := name == proxy.FilmFile || name == proxy.SoundFile || name == proxy.PeaksFile
	file := made.Path(name)
	if file == "" || stage.Sound == people.Muted && sound {
		return omniscope.NotFoundf("there is no file %s of this clip", name)
	}
	w.Header().Set("Content-Type", typeOf(name))
	w.Header().Set("Cache-Control", "private, max-age=86400")
	return web.SendFile(w, r, file)
}

func typeOf(name string) string {
	switch path.Ext(name) {
	case ".mp4":
		return "video/mp4"
	case ".m4a":
		return "audio/mp4"
	case ".jpg":
		return "image/jpeg"
	case ".json":
		return "application/json"
	}
	return "application/octet-stream"
}
