package hub

import (
	"context"
	"crypto/sha1" // git names its blobs by it
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"omniscope"
)

// download fetches a blob through a partial file beside it, which a later call
// goes on with. The caller holds the blob's lock.
func (t *task) download(ctx context.Context, r remote, blob string) error {
	if err := os.MkdirAll(filepath.Dir(blob), newFolder); err != nil {
		return t.disk(err)
	}
	part, err := os.OpenFile(blob+".incomplete", os.O_RDWR|os.O_CREATE, newFile)
	if err != nil {
		return t.disk(err)
	}
	defer part.Close()
	most := length(part)
	err = t.insist(ctx, tries, func() (progress bool, err error) {
		err = t.receive(ctx, r, part)
		now := length(part)
		progress = now > most // the same bytes once more are none
		most = max(most, now)
		return progress, err
	})
	if err != nil {
		return err
	}
	if err := part.Sync(); err != nil {
		return t.disk(err)
	}
	if err := part.Close(); err != nil {
		return t.disk(err)
	}
	return t.disk(os.Rename(part.Name(), blob))
}

func length(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil {
		return 0 // start anew; if that fails as well, it tells why
	}
	return info.Size()
}

// receive fetches what a partial file lacks, and checks the whole.
func (t *task) receive(ctx context.Context, r remote, part *os.File) error {
	from := length(part)
	if from > r.size {
		from = 0
	}
	if from < r.size || r.size == 0 {
		if err := t.extend(ctx, r, part, from); err != nil {
			return err
		}
	}
	return t.verify(r, part)
}

// extend asks for a file's bytes from an offset on and writes them there. Each
// try asks the hub anew, because the addresses it redirects to expire, and asks
// for the commit, so that a branch that moves meanwhile cannot mix two files.
// There is no If-Range: other servers use other tags than the hub,
// and what a wrong range would do, the digest shows.
func (t *task) extend(ctx context.Context, r remote, part *os.File, from int64) error {
	ctx, heard, stop := t.watch(ctx)
	defer stop()
	answers, err := t.request(ctx, http.MethodGet, t.address(r.commit), from)
	if err != nil {
		return err
	}
	resp := answers[len(answers)-1]
	defer resp.Body.Close()
	start, size := int64(0), resp.ContentLength
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusPartialContent, http.StatusRequestedRangeNotSatisfiable:
		var end int64
		if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/%d", &start, &end, &size); err != nil || start != from {
			_ = part.Truncate(0) // for a complete download next time; the error is returned
			return t.garbled(resp, "does not send the rest of the file that it was asked for")
		}
	default:
		return t.refusal(resp)
	}
	if size >= 0 && size != r.size {
		return t.garbled(resp, fmt.Sprintf("has a file of %d bytes, the hub says %d", size, r.size))
	}
	if err := part.Truncate(start); err != nil {
		return t.disk(err)
	}
	to := &sink{task: t, to: io.NewOffsetWriter(part, start), heard: heard, done: start, total: r.size}
	to.tell()
	_, err = io.Copy(to, io.LimitReader(resp.Body, r.size-start))
	if to.err != nil {
		return t.disk(to.err)
	}
	if err != nil || to.done < r.size {
		return t.brokenOff(ctx, resp, to, err)
	}
	return nil
}

// A sink writes a body to a file and tells how far it is.
type sink struct {
	*task
	to          io.Writer
	heard       func()
	done, total int64
	err         error // of the file; others are the network's
}

func (s *sink) Write(p []byte) (n int, err error) {
	s.heard()
	n, s.err = s.to.Write(p)
	s.done += int64(n)
	s.tell()
	return n, s.err
}

func (s *sink) tell() {
	if s.Progress != nil {
		s.Progress(s.path, s.done, s.total)
	}
}

// digest returns the hash whose hexadecimal sum is the etag, nil if it is none.
// Git hashes a header with the size first ("Git Objects" in Pro Git).
func (r remote) digest() hash.Hash {
	switch {
	case isHex(r.etag, 2*sha256.Size):
		return sha256.New()
	case isHex(r.etag, 2*sha1.Size):
		h := sha1.New()
		fmt.Fprintf(h, "blob %d\x00", r.size)
		return h
	}
	return nil
}

// verify compares a whole file with its digest. One with wrong bytes is
// emptied, and fetched once more: they may be another program's.
func (t *task) verify(r remote, part *os.File) error {
	h := r.digest()
	if _, err := io.Copy(h, io.NewSectionReader(part, 0, r.size)); err != nil {
		return t.disk(err)
	}
	sum := hex.EncodeToString(h.Sum(nil))
	if sum == r.etag {
		return nil
	}
	if err := part.Truncate(0); err != nil {
		return t.disk(err)
	}
	t.spoiled++
	return &failure{kind: omniscope.Malformed, again: t.spoiled < 2,
		what: fmt.Sprintf("the bytes received have the digest %s, the hub says %s; they were thrown away", sum, r.etag),
		mend: "look whether a proxy or a mirror alters files, and run the same command again, or " + t.byHand()}
}
