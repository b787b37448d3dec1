package gemini

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"omniscope/model"
)

// files are the contents that were uploaded, by their digest. Each is uploaded
// once, whoever needs it, for as long as Google keeps it.
type files struct {
	mu      sync.Mutex
	entries map[content]*entry
}

// A content is what is uploaded: the bytes and what they are called.
type content struct {
	digest [sha256.Size]byte
	mime   string
}

// An entry is one content. Its lock is a channel, so that whoever waits for an
// upload can give up; the file is guarded by it.
type entry struct {
	lock chan struct{}
	file file
}

func (e *entry) acquire(ctx context.Context) error {
	select {
	case e.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *entry) release() { <-e.lock }

// A use is a file that a request names.
type use struct {
	entry *entry
	name  string
}

func (f *files) entry(c content) *entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.entries == nil {
		f.entries = make(map[content]*entry)
	}
	if f.entries[c] == nil {
		f.entries[c] = &entry{lock: make(chan struct{}, 1)}
	}
	return f.entries[c]
}

// forget drops files that are gone, unless somebody has uploaded them again.
func (f *files) forget(ctx context.Context, gone []use) {
	for _, u := range gone {
		if u.entry.acquire(ctx) != nil {
			return
		}
		if u.entry.file.Name == u.name {
			u.entry.file = file{}
		}
		u.entry.release()
	}
}

// missing are the files that an error of the server says are gone: those it
// names, else all.
func missing(err error, used []use) (gone []use) {
	var status *model.StatusError
	if len(used) == 0 || !errors.As(err, &status) || status.Status != 403 && status.Status != 404 || !aboutFile(status) {
		return nil
	}
	for _, u := range used {
		if strings.Contains(status.Message, strings.TrimPrefix(u.name, "files/")) {
			gone = append(gone, u)
		}
	}
	if len(gone) == 0 {
		return slices.Clone(used)
	}
	return gone
}

// uploadLargest uploads the largest parts until the others fit into a request.
// It returns the URIs of what it uploaded by place, and the files behind them.
func (m *Model) uploadLargest(ctx context.Context, req *model.Request) (map[place]string, []use, error) {
	places := m.tooLarge(req)
	if len(places) == 0 {
		return nil, nil, nil
	}
	uploaded := make(map[place]string, len(places))
	var used []use
	for _, at := range places {
		p := req.Messages[at.message].Parts[at.part]
		e := m.files.entry(content{sha256.Sum256(p.Data), mimeType(p.MIME)})
		f, err := m.ready(ctx, e, p)
		if err != nil {
			return nil, used, err
		}
		uploaded[at] = f.URI
		used = append(used, use{e, f.Name})
	}
	return uploaded, used, nil
}

// tooLarge are the places of the parts to upload, the largest first.
func (m *Model) tooLarge(req *model.Request) (chosen []place) {
	size := sizeOf(req)
	if size <= m.inlineLimit {
		return nil
	}
	var places []place
	length := func(at place) int { return len(req.Messages[at.message].Parts[at.part].Data) }
	for i, msg := range req.Messages {
		for j, p := range msg.Parts {
			if p.Kind != model.TextPart && p.URL == "" {
				places = append(places, place{i, j})
			}
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(length(b), length(a)) })
	for _, at := range places {
		if size <= m.inlineLimit {
			break
		}
		size -= length(at) / 3 * 4
		chosen = append(chosen, at)
	}
	return chosen
}

// ready returns the file of a part, uploaded and processed. A file that is gone
// while it is waited for is uploaded again, once.
func (m *Model) ready(ctx context.Context, e *entry, p model.Part) (file, error) {
	if err := e.acquire(ctx); err != nil {
		return file{}, err
	}
	defer e.release()
	for again := false; ; again = true {
		if !e.file.lasts(time.Now()) {
			f, err := m.upload(ctx, p)
			if err != nil {
				return file{}, inUpload(p, err)
			}
			e.file = f
		}
		f, err := m.waitActive(ctx, e.file)
		if err == nil {
			e.file = f
			return f, nil
		}
		gone := len(missing(err, []use{{e, e.file.Name}})) > 0
		if gone || errors.As(err, new(failedFile)) {
			e.file = file{}
		}
		if again || !gone {
			return file{}, inUpload(p, err)
		}
	}
}

// inUpload says which part the failure of an upload is about. Its kind stays.
func inUpload(p model.Part, err error) error {
	return fmt.Errorf("upload %s of %d bytes (%s%s): %w", p.Kind, len(p.Data), p.MIME, afterComma(p.Digest), err)
}

func afterComma(s string) string {
	if s == "" {
		return ""
	}
	return ", " + s
}
