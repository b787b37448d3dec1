package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/people"
	"omniscope/people/capricorn"
	"omniscope/people/pg"
	"omniscope/people/sqlite"
)

// BenchmarkPeopleServer has 100 seniors select keypoints of 1,000 videos at the same time, in a
// project whose log has a million events. Each opens an item, saves 30 answers with 300 ms between
// them, and goes on. Its figures are metrics; run it once:
//
//	go test ./cmd/omniscope -run '^$' -bench PeopleServer -benchtime 1x -timeout 30m
func BenchmarkPeopleServer(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) {
		dir := filepath.Join(b.TempDir(), "videos")
		benchPeople(b, dir, "", func() (people.Log, error) { return sqlite.Open(dir) })
	})
	b.Run("postgres", func(b *testing.B) {
		address := pgtest.New(b)
		benchPeople(b, "videos", address, func() (people.Log, error) { return pg.Open(context.Background(), address, "videos") })
	})
}

func benchPeople(b *testing.B, project, journal string, open func() (people.Log, error)) {
	const seniors, videos = 100, 1000
	list := filepath.Join(b.TempDir(), "videos.jsonl")
	var lines bytes.Buffer
	for i := range videos {
		fmt.Fprintf(&lines, `{"video_id": "v%d", "duration": 250, "media": "v%d.mp4"}`+"\n", i, i)
	}
	fixture.OK(b, os.WriteFile(list, lines.Bytes(), 0o600))
	args := func(args ...string) []string {
		if journal != "" {
			args = append(args, "--journal", journal)
		}
		return args
	}
	if out, err := exec.Command(built.Program(b), args("people", "new", "capricorn", project, "--clips", list)...).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	links := fillVideos(b, open, seniors)
	for range b.N {
		server := exec.Command(built.Program(b), args("people", "serve", project, "--listen", "127.0.0.1:0", "--prepared", b.TempDir())...)
		server.Stderr = os.Stderr
		out, err := server.StdoutPipe()
		fixture.OK(b, err)
		started := time.Now()
		fixture.OK(b, server.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		fixture.OK(b, err)
		b.ReportMetric(time.Since(started).Seconds(), "start-s")
		address, _, _ := strings.Cut(line, "/ ")
		measurePeople(b, address, links)
		b.ReportMetric(peakMB(b, server.Process.Pid), "memory-MB")
		server.Process.Kill()
		server.Wait()
	}
}

// fillVideos writes the work of annotators into the log, and invites seniors.
func fillVideos(b *testing.B, open func() (people.Log, error), seniors int) (links []string) {
	log, err := open()
	fixture.OK(b, err)
	var seq int64
	var items []string
	for e, err := range log.Events(b.Context(), 0) {
		fixture.OK(b, err)
		var item people.Item
		if seq = e.Seq; e.Kind == people.ItemAdd && json.Unmarshal(e.Body, &item) == nil {
			items = append(items, item.ID)
		}
	}
	const digest = "the film"
	var batch []*people.Event
	add := func(kind people.EventKind, item, stage, person string, body any) {
		seq++
		e := people.NewEvent(kind, person, body)
		e.Seq, e.Task = seq, people.TaskID{Item: item, Stage: stage, Person: person}
		batch = append(batch, e)
	}
	for _, item := range items {
		seq++
		found := people.NewEvent(people.ClipFound, "", &people.ClipNote{File: item + ".mp4", SHA256: digest})
		found.Seq = seq
		batch = append(batch, found)
		shown := map[string]any{"n": 0, "sha256": digest}
		for _, person := range []string{"ann", "ben"} {
			add(people.Take, item, capricorn.Subjects, person, nil)
			add(people.Shown, item, capricorn.Subjects, person, shown)
			add(people.Set, item, capricorn.Subjects, person, &people.Answer{Key: "subject/s1", Value: people.Value{"name": "Anna", "look": "tall", "seen": []float64{0, 1}}})
			add(people.Submit, item, capricorn.Subjects, person, nil)
		}
		add(people.StageSkip, item, capricorn.SubjectsSettle, "", nil)
		for _, person := range []string{"ann", "ben", "cas"} {
			add(people.Take, item, capricorn.Keypoints, person, nil)
			add(people.Shown, item, capricorn.Keypoints, person, shown)
			for n := range 330 {
				at := float64(n % 40 * 6)
				add(people.Set, item, capricorn.Keypoints, person, &people.Answer{Key: fmt.Sprintf("keypoint/k%d", n%40), Value: people.Value{"class": "main_sbj_evts", "span": []float64{at, at + 5}, "text": fmt.Sprintf("<Anna> does thing %d in change %d.", n%40, n/40), "senses": []string{"sight"}}})
			}
			add(people.Submit, item, capricorn.Keypoints, person, nil)
		}
		fixture.OK(b, log.Append(b.Context(), batch))
		batch = batch[:0]
	}
	w, err := people.Open(b.Context(), log, peopleKindOf)
	fixture.OK(b, err)
	defer w.Close()
	for i := range seniors {
		link, err := w.Invite(b.Context(), fmt.Sprint("sue", i), "", people.Senior)
		fixture.OK(b, err)
		links = append(links, link)
	}
	b.ReportMetric(float64(w.Seq()), "events")
	return links
}

// measured is how long people work.
const measured = 40 * time.Second

// measurePeople has all work for a while, and reports how long the server took.
func measurePeople(b *testing.B, address string, links []string) {
	var mu sync.Mutex
	var pages, saves []time.Duration
	var wg sync.WaitGroup
	end := time.Now().Add(measured)
	for i, link := range links {
		wg.Go(func() {
			jar, err := cookiejar.New(nil)
			if err != nil {
				b.Error(err)
				return
			}
			client := &http.Client{Jar: jar}
			post := func(path, body string) (string, time.Duration) {
				started := time.Now()
				answer, err := client.Post(address+path, "application/json", strings.NewReader(body))
				if err != nil {
					b.Error(err)
					return "", 0
				}
				defer answer.Body.Close()
				text, err := io.ReadAll(answer.Body)
				if err != nil || answer.StatusCode != 200 {
					b.Errorf("%s: %d %.200s (%v)", path, answer.StatusCode, text, err)
				}
				return answer.Request.URL.Path, time.Since(started)
			}
			post("/join/"+link, "")
			time.Sleep(rand.N(9 * time.Second)) // they do not all begin at once
			for n := 0; time.Now().Before(end) && !b.Failed(); {
				place, took := post("/next/select", "")
				mu.Lock()
				pages = append(pages, took) // the item is taken, and its page made
				mu.Unlock()
				for range 30 {
					time.Sleep(300 * time.Millisecond)
					n++
					body := fmt.Sprintf(`{"events": [{"id": "0000000000000000-%d-%d", "kind": "set", "key": "keypoint/n%d", "value": {"text": "<Anna> waves."}}]}`, i, n, n)
					_, took := post("/save"+strings.TrimPrefix(place, "/task"), body)
					mu.Lock()
					saves = append(saves, took)
					mu.Unlock()
				}
				post("/save"+strings.TrimPrefix(place, "/task"), fmt.Sprintf(`{"events": [{"id": "0000000000000000-%d-%d-r", "kind": "release"}]}`, i, n))
			}
		})
	}
	wg.Wait()
	for name, times := range map[string][]time.Duration{"open": pages, "save": saves} {
		if len(times) == 0 {
			b.Fatal("nothing was measured")
		}
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, name+"-p50-ms")
		b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, name+"-p99-ms")
		b.ReportMetric(float64(len(times))/measured.Seconds(), name+"s/s")
	}
}

// peakMB is the most memory that a process had.
func peakMB(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip("no /proc here")
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(after)[0])
	fixture.OK(b, err)
	return float64(kb) / 1024
}
