package pg

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/internal/testing/pgtest"
	"omniscope/people"
	"omniscope/people/sqlite"
)

// The benchmarks of people's work stand here since they need both logs:
//
//	go test ./people/pg -run '^$' -bench People -benchtime 20000x
//	go test ./people/pg -run '^$' -bench PeopleMillion -benchtime 1x -timeout 30m

// logs does something with each kind of log. place is the folder of one in files.
func logs(b *testing.B, do func(b *testing.B, open func() people.Log, place string)) {
	b.Run("sqlite", func(b *testing.B) {
		dir := b.TempDir()
		do(b, func() people.Log {
			l, err := sqlite.Open(dir)
			fixture.OK(b, err)
			return l
		}, dir)
	})
	b.Run("postgres", func(b *testing.B) {
		address := pgtest.New(b)
		do(b, func() people.Log {
			l, err := Open(b.Context(), address, "p")
			fixture.OK(b, err)
			return l
		}, "")
	})
}

func kindOf(string) (*people.Kind, error) { return notes, nil }

// notes is a kind of work with cards that people add, as keypoints are.
var notes = &people.Kind{Info: people.Info{Name: "notes"}, Form: func(c *people.WorkItem) (*people.Form, error) {
	f := &people.Form{Sections: []people.Section{{Name: "note", Title: "Note", Add: true, Fields: []people.Field{{Name: "text", Label: "Text", Type: people.Prose}}}}}
	for _, d := range c.Earlier {
		f.Texts = append(f.Texts, people.Text{Title: d.Letter, Body: fmt.Sprint(len(d.Answers))})
	}
	return f, nil
}}

// noted is an answer of about 200 bytes.
func noted(key, n int) *people.Answer {
	return &people.Answer{Key: fmt.Sprintf("note/n%d", key), Value: people.Value{"text": fmt.Sprintf("%d: the man in the red jacket puts the cup on the table and looks at the clock on the wall behind him, twice", n)}}
}

const annotators = 100

// BenchmarkPeopleSaves has 100 annotators save with no pause, and wait for each acknowledgement.
func BenchmarkPeopleSaves(b *testing.B) {
	logs(b, func(b *testing.B, open func() people.Log, _ string) {
		w := begun(b, open(), annotators, 1)
		defer w.Close()
		for n := range annotators {
			peopletest.Save(b, w, taskOf(n), people.Take, nil)
		}
		times := make([]time.Duration, b.N)
		var next atomic.Int64
		var all sync.WaitGroup
		b.ResetTimer()
		for n := range annotators {
			all.Go(func() { saveOn(b, w, n, times, &next) })
		}
		all.Wait()
		b.StopTimer()
		slices.Sort(times)
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "saves/s")
		b.ReportMetric(milliseconds(times[len(times)/2]), "p50-ms")
		b.ReportMetric(milliseconds(times[len(times)*99/100]), "p99-ms")
	})
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func taskOf(n int) people.TaskID {
	return people.TaskID{Item: fmt.Sprint("i", n), Stage: "note", Person: fmt.Sprint("a", n)}
}

// saveOn saves answers of one annotator until all are saved: twenty keys in turn.
func saveOn(b *testing.B, w *people.Workplace, n int, times []time.Duration, next *atomic.Int64) {
	const keys = 20
	var base [keys]int64
	for i := int(next.Add(1)) - 1; i < len(times); i = int(next.Add(1)) - 1 {
		e := people.NewEvent(people.Set, fmt.Sprint("a", n), noted(i%keys, i))
		e.Task, e.Base = taskOf(n), base[i%keys]
		start := time.Now()
		got, err := w.Save(context.Background(), e)
		times[i] = time.Since(start)
		if err != nil || got[0].Err != nil || got[0].Conflict != nil {
			b.Errorf("%+v (%v)", got, err)
			return
		}
		base[i%keys] = got[0].Seq
	}
}

// begun makes a project of so many items, with a stage of notes and one that settles them.
func begun(b *testing.B, l people.Log, items, persons int) *people.Workplace {
	b.Helper()
	p := plan(items, persons)
	fixture.OK(b, people.Begin(b.Context(), l, p))
	w, err := people.Open(b.Context(), l, kindOf)
	fixture.OK(b, err)
	for n := range annotators {
		if _, err := w.Invite(b.Context(), fmt.Sprint("a", n), "A", people.Annotator); err != nil {
			b.Fatal(err)
		}
	}
	return w
}

func plan(items, persons int) *people.Plan {
	return &people.Plan{Project: people.Project{Name: "p", Kind: "notes", Stages: []people.Stage{
		{Name: "note", Title: "Note", By: []people.ProjectRole{people.Annotator}, People: persons, LeaseMinutes: 60},
		{Name: "settle", Title: "Settle", By: []people.ProjectRole{people.Senior}, People: 1, After: "note", LeaseMinutes: 60},
	}}, Items: func(yield func(*people.Item, error) bool) {
		for n := range items {
			if !yield(&people.Item{ID: fmt.Sprint("i", n), Clip: fmt.Sprint("i", n), Payload: []byte(`{"caption": "words"}`)}, nil) {
				return
			}
		}
	}}
}

// BenchmarkPeopleMillion opens a log of a million events: 2,000 items, each noted by five people
// with 98 changes of 60 answers, and looks at it. Its figures are metrics; run it once.
func BenchmarkPeopleMillion(b *testing.B) {
	logs(b, func(b *testing.B, open func() people.Log, place string) {
		const items, persons, changes = 2000, 5, 98
		p := plan(items, persons)
		l := open()
		start := time.Now()
		fixture.OK(b, fill(b.Context(), l, p, items, persons, changes))
		filled := time.Since(start)
		fixture.OK(b, l.Close())
		b.ResetTimer()
		for range b.N {
			look(b, open(), items)
		}
		b.ReportMetric(filled.Seconds(), "fill-s")
		if place != "" {
			info, err := os.Stat(filepath.Join(place, "people.db"))
			fixture.OK(b, err)
			b.ReportMetric(float64(info.Size())/1e6, "file-MB")
		}
	})
}

// fill makes the project, and adds the work of all people.
func fill(ctx context.Context, l people.Log, p *people.Plan, items, persons, changes int) error {
	if err := people.Begin(ctx, l, p); err != nil {
		return err
	}
	seq := int64(items + 1)
	var batch []*people.Event
	at := time.Now().UTC().Truncate(time.Microsecond)
	add := func(kind people.EventKind, item, person int, body any) {
		e := people.NewEvent(kind, fmt.Sprint("a", person), body)
		seq++
		e.Seq, e.At, e.ActiveMS = seq, at, 1000
		e.Task = people.TaskID{Item: fmt.Sprint("i", item), Stage: "note", Person: e.By}
		batch = append(batch, e)
	}
	for item := range items {
		for person := range persons {
			add(people.Take, item, person, nil)
			for n := range changes {
				add(people.Set, item, person, noted(n%60, n))
			}
			add(people.Submit, item, person, nil)
		}
		if len(batch) > 4000 {
			if err := l.Append(ctx, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return l.Append(ctx, batch)
}

// look measures what a server does with a log.
func look(b *testing.B, l people.Log, items int) {
	before := heap()
	start := time.Now()
	w, err := people.Open(b.Context(), l, kindOf)
	fixture.OK(b, err)
	defer w.Close()
	b.ReportMetric(time.Since(start).Seconds(), "open-s")
	b.ReportMetric(float64(heap()-before)/1e6, "memory-MB")
	b.ReportMetric(float64(w.Seq()), "events")

	const cases = 1000
	times := make([]time.Duration, cases)
	for i := range times {
		start := time.Now()
		c, err := w.WorkItem(b.Context(), fmt.Sprint("i", rand.IntN(items)), "settle")
		if err == nil {
			_, err = w.Kind().Form(c)
		}
		fixture.OK(b, err)
		times[i] = time.Since(start)
	}
	slices.Sort(times)
	b.ReportMetric(milliseconds(times[cases/2]), "case-p50-ms")
	b.ReportMetric(milliseconds(times[cases*99/100]), "case-p99-ms")

	start = time.Now()
	var n lines
	fixture.OK(b, people.EventsExport.Write(b.Context(), w, &n))
	b.ReportMetric(time.Since(start).Seconds(), "export-s")
	b.ReportMetric(float64(n.bytes)/1e6, "export-MB")
}

// heap is the memory in use, in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// lines counts what is written to it.
type lines struct{ bytes int }

func (l *lines) Write(p []byte) (int, error) { l.bytes += len(p); return len(p), nil }
