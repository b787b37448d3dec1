package sqlite_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

func TestGroupCommit(t *testing.T) {
	dir := t.TempDir()
	j := openRun(t, dir, "run")
	before := commits(t, dir)
	const answers = 1000
	var appends sync.WaitGroup
	for n := range answers {
		appends.Go(func() { appendNumbers(t, j, n) })
	}
	appends.Wait()
	if n := commits(t, dir) - before; n < 1 || n > answers/4 {
		t.Errorf("%d answers took %d commits", answers, n)
	}
}

// commits counts the commit marks in the write-ahead log, as laid down in
// https://www.sqlite.org/fileformat2.html#walformat: of a frame's header, the
// second word is not zero in a commit's last frame. It holds while the log is
// shorter than a checkpoint leaves it.
func commits(t *testing.T, dir string) (n int) {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(dir, "journal.db-wal"))
	fixture.OK(t, err)
	if len(log) < 32 {
		return 0
	}
	size := 24 + int(binary.BigEndian.Uint32(log[8:]))
	for frame := log[32:]; len(frame) >= size; frame = frame[size:] {
		if binary.BigEndian.Uint32(frame[4:]) != 0 {
			n++
		}
	}
	return n
}

func TestCloseWritesEverything(t *testing.T) {
	for range 10 {
		dir := t.TempDir()
		j := openRun(t, dir, "run")
		const appenders = 100
		var next atomic.Int64
		var mu sync.Mutex
		var acknowledged []int
		busy := make(chan struct{})
		var appends sync.WaitGroup
		for range appenders {
			appends.Go(func() {
				for {
					n := int(next.Add(1))
					if err := j.Append(t.Context(), numbered(n)); err != nil {
						fixture.WantError(t, err, omniscope.Internal, "closed")
						return
					}
					mu.Lock()
					if acknowledged = append(acknowledged, n); len(acknowledged) == 2*appenders {
						close(busy)
					}
					mu.Unlock()
				}
			})
		}
		<-busy
		fixture.OK(t, j.Close())
		appends.Wait()

		j = openRun(t, dir, "run")
		for _, n := range acknowledged {
			mustHave(t, j, n)
		}
		j.Close()
	}
}

func TestCloseTwice(t *testing.T) {
	j := openRun(t, t.TempDir(), "run")
	for range 2 {
		fixture.OK(t, j.Journal.Close())
	}
	fixture.WantError(t, j.Append(t.Context(), numbered(0)), omniscope.Internal, "append "+numbered(0).Step, "closed")
}

func TestAppendToAClosedStoreFails(t *testing.T) {
	j := openRun(t, t.TempDir(), "run")
	fixture.OK(t, j.store.Close())
	fixture.WantError(t, j.Append(t.Context(), numbered(0)), omniscope.Internal, "closed")
}
