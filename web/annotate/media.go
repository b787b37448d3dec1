package annotate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

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
// show them. It is safe for concurrent use.
type media struct {
	folder string
	muted  bool          // films without sound are wanted, too
	retry  time.Duration // from a failure to the next try

	finding sync.Mutex // of the library
	library *library

	mu     sync.Mutex
	clips  map[people.ClipName]*clip
	known  map[string]string    // SHA-256 of files that were read, by their tags
	wanted chan people.ClipName // what somebody waits for
	failed chan struct{}        // what failed is tried again now
}

// A clip is what was made of a clip, or why it was not.
type clip struct {
	ready *proxy.Prepared
	err   error
	tried time.Time
	wait  time.Duration // until it is tried again unasked
}

// mostWait is the longest time between two tries, as a multiple of the first one.
const mostWait = 10

// OpenMedia opens the folders.
func OpenMedia(o MediaOptions) (*media, error) {
	m := &media{folder: o.Folder, retry: time.Minute, library: &library{leave: o.Folder}, clips: make(map[people.ClipName]*clip), known: make(map[string]string),
		wanted: make(chan people.ClipName, 100), failed: make(chan struct{}, 1)}
	for _, dir := range o.Roots {
		opened, err := os.OpenRoot(dir)
		if err != nil {
			return nil, omniscope.Usagef("--media %s: %v", dir, err)
		}
		m.library.roots = append(m.library.roots, root{opened, dir})
	}
	return m, nil
}

// clipsOf are the clips of a project, each once, in the order of its items.
func clipsOf(w *people.Workplace) (names []people.ClipName) {
	for _, c := range w.Clips() {
		names = append(names, people.ClipName{File: c.File, SHA256: c.Wanted})
	}
	return names
}

// find returns the files that a clip may be by its name, the best first, and the others that fit as
// well as that one.
func (m *media) find(name people.ClipName) (paths, alike []string, err error) {
	m.finding.Lock()
	defer m.finding.Unlock()
	found, n, err := m.library.find(name.File)
	for i, f := range found {
		paths = append(paths, m.library.place(f))
		if i > 0 && i < n {
			alike = append(alike, paths[i])
		}
	}
	return paths, alike, err
}

// choose returns the file of a clip. If its SHA-256 is known, it is the file with this digest: at the
// clip's path, else anywhere below the folders.
func (m *media) choose(ctx context.Context, name people.ClipName) (string, error) {
	paths, _, err := m.find(name)
	if name.SHA256 == "" {
		if err != nil {
			return "", err
		}
		return paths[0], nil
	}
	for _, files := range []func() []string{func() []string { return paths }, m.all} {
		for _, file := range files() {
			if m.digest(ctx, file) == name.SHA256 {
				return file, nil
			}
		}
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("%w, and no file there has its SHA-256, %s", err, name.SHA256)
	}
	return "", omniscope.Invalidf("%s is another file than the clip %s of this project, and no file below the folders of --media has the clip's SHA-256, %s: put the file of the project there",
		paths[0], name.File, name.SHA256)
}

// all are all media files below the folders.
func (m *media) all() (paths []string) {
	m.finding.Lock()
	defer m.finding.Unlock()
	for _, f := range m.library.all() {
		paths = append(paths, m.library.place(f))
	}
	return paths
}

// digest is the SHA-256 of a file, which is read once; "" = it cannot be read.
func (m *media) digest(ctx context.Context, file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return ""
	}
	tag := web.Tag(file, info)
	m.mu.Lock()
	digest := m.known[tag]
	m.mu.Unlock()
	if digest != "" {
		return digest
	}
	if digest, err = proxy.Digest(ctx, file, m.folder); err != nil {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[tag] = digest
	return digest
}

// prepared is what was made of a clip; nil = it is being made.
func (m *media) prepared(name people.ClipName) (*proxy.Prepared, error) {
	m.mu.Lock()
	c := m.clips[name]
	if c != nil && c.ready != nil && c.ready.Usable() {
		m.mu.Unlock()
		return c.ready, nil
	}
	m.mu.Unlock()
	if c == nil || c.err == nil || m.isDue(name, true) {
		select {
		case m.wanted <- name:
		default: // so many are waited for that it has to wait for its turn
		}
	}
	if c != nil && c.err != nil {
		return nil, c.err
	}
	if _, _, err := m.find(name); err != nil && name.SHA256 == "" {
		return nil, err
	}
	return nil, nil
}

// isDue reports whether a clip is to be made, or tried again. Where somebody asks for it, that is sooner.
func (m *media) isDue(name people.ClipName, asked bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.clips[name]
	switch {
	case c == nil:
		return true
	case c.err != nil:
		wait := c.wait
		if asked {
			wait = min(wait, m.retry)
		}
		return time.Since(c.tried) >= wait
	}
	return !c.ready.Usable()
}

// Retry has all clips that could not be shown tried again, now.
func (m *media) Retry() {
	m.finding.Lock()
	m.library.listed = time.Time{}
	m.finding.Unlock()
	m.mu.Lock()
	for _, c := range m.clips {
		c.tried, c.wait = time.Time{}, 0
	}
	m.mu.Unlock()
	select {
	case m.failed <- struct{}{}:
	default: // it is on its way
	}
}

// PrepareAll makes the files of a project's clips that browsers need, one clip after another, requested
// clips first, and tries failed clips again, until ctx ends. It notes the results in the project, and
// calls warn for clips that cannot be shown or were replaced.
func (m *media) PrepareAll(ctx context.Context, w *people.Workplace, warn func(string)) {
	m.muted = slices.ContainsFunc(w.Project().Stages, func(s people.Stage) bool { return s.Sound == people.Muted })
	p := &preparing{media: m, work: w, warn: warn, told: make(map[people.ClipName]string)}
	for _, c := range w.Clips() {
		if c.Trouble != "" { // Check has warned
			p.told[people.ClipName{File: c.File, SHA256: c.Wanted}] = c.Trouble
		}
	}
	p.all(ctx)
	again := time.NewTicker(m.retry)
	defer again.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case name := <-m.wanted:
			p.one(ctx, name, true)
		case <-m.failed:
			p.all(ctx)
		case <-again.C:
			p.all(ctx)
		}
	}
}

// preparing is the work of PrepareAll.
type preparing struct {
	*media
	work *people.Workplace
	warn func(string)
	told map[people.ClipName]string // the last trouble of each clip, already warned of
}

// all makes all clips that are due, requested clips first.
func (p *preparing) all(ctx context.Context) {
	for _, name := range clipsOf(p.work) {
		for more := true; more; {
			select {
			case wanted := <-p.wanted:
				p.one(ctx, wanted, true)
			default:
				more = false
			}
		}
		p.one(ctx, name, false)
	}
}

// one makes a clip, if it is due.
func (p *preparing) one(ctx context.Context, name people.ClipName, asked bool) {
	if ctx.Err() != nil || !p.isDue(name, asked) {
		return
	}
	note := people.ClipNote{File: name.File, Wanted: name.SHA256}
	var made *proxy.Prepared
	file, err := p.choose(ctx, name)
	if err == nil {
		note.Path = file
		made, err = proxy.Prepare(ctx, file, p.folder, proxy.Options{Muted: p.muted})
	}
	if err == nil && name.SHA256 != "" && made.Digest != name.SHA256 {
		err = omniscope.Invalidf("%s was replaced by another file while it was read", file)
	}
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		note.Trouble = err.Error()
	} else {
		note.SHA256 = made.Digest
	}
	before := p.work.Clip(name).SHA256
	if failed := p.work.NoteClips(ctx, note); failed != nil { // do not show a clip without a note
		err = fmt.Errorf("the note on it could not be saved: %w", failed)
		note.Trouble = err.Error()
	}
	p.tell(name, note, before != "" && note.SHA256 != "" && note.SHA256 != before)
	p.keep(name, made, err)
}

// keep keeps what was made of a clip, or when it is tried again.
func (m *media) keep(name people.ClipName, made *proxy.Prepared, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &clip{ready: made}
	if err != nil {
		kind := omniscope.Invalid // the page shows why, and does not take it for a fault of the server
		if omniscope.KindOf(err) == omniscope.NotFound {
			kind = omniscope.NotFound
		}
		if before := m.clips[name]; before != nil {
			c.wait = before.wait
		}
		c.wait = min(max(m.retry, 2*c.wait), mostWait*m.retry)
		c.ready, c.err = nil, &omniscope.Error{Kind: kind, Err: fmt.Errorf("this clip cannot be shown: %w", err)}
		c.tried = time.Now()
	}
	m.clips[name] = c
}

// tell warns of a clip that cannot be shown, once for each reason, or that was replaced.
func (p *preparing) tell(name people.ClipName, note people.ClipNote, replaced bool) {
	const most = 20 // lines; all are on the page Overview
	if replaced {
		p.warn(replacedText(p.work.Clip(name)))
	}
	if note.Trouble == p.told[name] {
		return
	}
	p.told[name] = note.Trouble
	switch n := len(p.told); {
	case note.Trouble == "" || n > most:
	case n == most:
		p.warn("more clips cannot be shown: see the page Overview")
	default:
		p.warn(fmt.Sprintf("the clip %s cannot be shown and is tried again: %s", name.File, note.Trouble))
	}
}

// replacedText is the warning of a clip that was replaced.
func replacedText(c people.ClipStatus) string {
	return fmt.Sprintf("the clip %s has been replaced by another file: %d submitted tasks are about the earlier one and do not count. Put that file back, and they do", c.File, c.LeftOut)
}

// Check looks for the clips of a project before it is served, notes missing and replaced clips, and
// returns warnings for the owner.
func (m *media) Check(ctx context.Context, w *people.Workplace) (warnings []string, err error) {
	var notes []people.ClipNote
	var missing, unclear, failed []string
	var replaced []people.ClipName
	for _, c := range w.Clips() {
		name := people.ClipName{File: c.File, SHA256: c.Wanted}
		paths, alike, err := m.find(name)
		switch {
		case err != nil:
			missing = append(missing, c.File)
			if c.Wanted == "" {
				notes = append(notes, people.ClipNote{File: c.File, Trouble: err.Error()})
			}
			continue
		case c.Wanted != "":
			continue // whether it is the file is seen when it is read
		case len(alike) > 0:
			unclear = append(unclear, fmt.Sprintf("%s: %s was taken, not %s", c.File, paths[0], strings.Join(alike, ", ")))
		}
		if c.Trouble != "" {
			failed = append(failed, fmt.Sprintf("%s: %s", c.File, c.Trouble))
		}
		if digest := m.changedTo(ctx, paths[0]); digest != "" && c.SHA256 != "" && digest != c.SHA256 {
			notes = append(notes, people.ClipNote{File: c.File, SHA256: digest, Path: paths[0]})
			replaced = append(replaced, name)
		}
	}
	if err := w.NoteClips(ctx, notes...); err != nil {
		return nil, err
	}
	for _, name := range replaced {
		warnings = append(warnings, replacedText(w.Clip(name)))
	}
	return append(warnings, m.startWarnings(missing, unclear, failed)...), ctx.Err()
}

func (m *media) startWarnings(missing, unclear, failed []string) (warnings []string) {
	if n := len(missing); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%d clips are not below the folders of --media and cannot be shown, such as %s", n, missing[0]))
	}
	if n := len(unclear); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%d clips may be one of several files, such as %s", n, unclear[0]))
	}
	if n := len(failed); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%d clips could not be shown before and are tried again, such as %s", n, failed[0]))
	}
	return warnings
}

// changedTo is the digest of a file that was prepared earlier. It is read only where it has changed;
// "" = it was never prepared, or cannot be read: preparing it finds out.
func (m *media) changedTo(ctx context.Context, file string) string {
	digest, same := proxy.Remembered(file, m.folder)
	if digest == "" || same {
		return digest
	}
	return m.digest(ctx, file)
}

// errPreparing is what is said of a clip that is on its way.
var errPreparing = &omniscope.Error{Kind: omniscope.Transient, Err: errors.New("the clip is being made ready")}
