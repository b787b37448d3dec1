package models_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"omniscope"
	"omniscope/internal/hub"
	"omniscope/internal/testing/fixture"
	"omniscope/metric/neural/models"
)

func TestGetAllKnownModels(t *testing.T) {
	s := newStage(t)
	for _, m := range models.Known {
		f := s.mustGet(m.Name)
		var names []string
		for _, file := range f.Info.Files {
			names = append(names, file.Name)
			if file.Source == nil || file.Source.Commit != s.hub.Commit() || file.Source.Repo == "" {
				t.Errorf("%s of %s is from %+v", file.Name, m.Name, file.Source)
			}
		}
		if !slices.Equal(names, m.Files()) {
			t.Errorf("%s has %q, want %q", m.Name, names, m.Files())
		}
		if f.Info.Licence != m.Licence || f.Info.MadeBy != "test" || f.Info.From != s.client.Endpoint+"/"+m.Repo() {
			t.Errorf("%s: %+v", m.Name, f.Info)
		}
	}
	for _, e := range models.List(s.root) {
		if !e.There || e.Problem != "" {
			t.Errorf("%+v", e)
		}
	}
}

func TestSecondGet(t *testing.T) {
	s := newStage(t)
	for _, name := range []string{"bert_score/en", "comet/wmt22-comet-da"} {
		f := s.mustGet(name)
		before, err := os.Stat(filepath.Join(f.Dir, models.InfoFile))
		fixture.OK(t, err)
		s.hub.Requests()
		for _, commit := range []string{s.hub.Commit(), strings.Repeat("d1", 20)} { // the second changes no file
			s.hub.Move(commit)
			s.mustGet(name)
			after, err := os.Stat(filepath.Join(f.Dir, models.InfoFile))
			if err != nil || !os.SameFile(before, after) {
				t.Errorf("%s was made anew: %v", name, err)
			}
			for _, r := range s.hub.Requests() {
				if strings.HasPrefix(r, "GET") {
					t.Errorf("%s: %s", name, r)
				}
			}
		}
	}
}

func TestSafetensorsStoredOnce(t *testing.T) {
	s := newStage(t)
	weights := s.mustGet("bert_score/en").Weights()
	here, err := os.Stat(weights)
	fixture.OK(t, err)
	cached := filepath.Join(s.client.Cache, "models--FacebookAI--roberta-large", "snapshots", s.hub.Commit(), models.WeightsFile)
	if there, err := os.Stat(cached); err != nil || !os.SameFile(here, there) {
		t.Errorf("%s is a copy (%v)", weights, err)
	}
}

func TestTwoLanguagesShareAConvertedNetwork(t *testing.T) {
	s := newStage(t)
	one, err := os.Stat(s.mustGet("bert_score/de").Weights())
	fixture.OK(t, err)
	if other, err := os.Stat(s.mustGet("bert_score/it").Weights()); err != nil || !os.SameFile(one, other) {
		t.Errorf("the weights are there twice (%v)", err)
	}
	fixture.OK(t, models.Remove(t.Context(), s.root, "bert_score/de"))
	if _, err := models.Verify(t.Context(), s.root, "bert_score/it", models.Options{}); err != nil {
		t.Error(err)
	}
}

// What the published scorers have fetched is under the names they ask by.
func TestOldFileNames(t *testing.T) {
	s := newStage(t)
	const today, old = "FacebookAI/roberta-large", "roberta-large"
	s.hub.Folders[old] = s.hub.Folders[today]
	for _, file := range []string{"config.json", "vocab.json", "merges.txt", models.WeightsFile} {
		if _, err := s.client.File(t.Context(), hub.Repo{Kind: "model", Name: old}, file); err != nil {
			t.Fatal(err)
		}
	}
	s.hub.Requests()
	f := s.mustGet("bert_score/en")
	if asked := s.hub.Requests(); !slices.Equal(asked, []string{"HEAD " + old + " config.json"}) {
		t.Errorf("asked %q", asked)
	}
	if repo := f.Info.Files[0].Source.Repo; repo != old {
		t.Errorf("it is from %s", repo)
	}
	delete(s.hub.Folders, old) // a mirror may not know it
	fixture.OK(t, models.Remove(t.Context(), s.root, "bert_score/en"))
	s.mustGet("bert_score/en")
}

func TestResumeInterruptedDownload(t *testing.T) {
	s := newStage(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const sent = 100_000
	s.hub.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if ctx.Err() != nil || !strings.HasPrefix(r.URL.Path, "/cdn/") || !strings.HasSuffix(r.URL.Path, ".ckpt") {
			return false
		}
		content, err := os.ReadFile(filepath.Join(s.hub.Folders["Unbabel/wmt22-comet-da"], "checkpoints", "model.ckpt"))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content[:sent])
		w.(http.Flusher).Flush()
		<-r.Context().Done() // until the client has left
		return true
	}
	o := models.Options{Progress: func(what string, done, total int64) {
		if strings.HasPrefix(what, "download checkpoints/") && done >= sent {
			cancel()
		}
	}}
	_, err := models.Get(ctx, s.client, s.root, "comet/wmt22-comet-da", o)
	if err == nil || ctx.Err() == nil {
		t.Fatalf("error %v", err)
	}
	s.leftNothing()
	s.hub.Requests()
	s.mustGet("comet/wmt22-comet-da")
	if asked := s.hub.Requests(); !slices.Contains(asked, fmt.Sprintf("GET cdn bytes=%d-", sent)) {
		t.Errorf("asked %q", asked)
	}
}

func TestInterruptedConversion(t *testing.T) {
	s := newStage(t)
	for _, at := range []string{"copy", "check", "convert"} {
		ctx, cancel := context.WithCancel(t.Context())
		o := models.Options{Progress: func(what string, _, _ int64) {
			if strings.HasPrefix(what, at) {
				cancel()
			}
		}}
		if _, err := models.Get(ctx, s.client, s.root, "comet/wmt22-comet-da", o); err == nil || ctx.Err() == nil {
			t.Errorf("interrupted at %s: error %v", at, err)
		}
		cancel()
		s.leftNothing()
	}
	s.mustGet("comet/wmt22-comet-da")
}

func TestHubErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(s *stage)
		kind  omniscope.Kind
		tells []string
	}{
		{"a gated repository", func(s *stage) { s.hub.Token = "hf_another" }, omniscope.Denied, []string{"accept the conditions at", "HF_TOKEN"}},
		{"no such repository", func(s *stage) { clear(s.hub.Folders) }, omniscope.NotFound, []string{"there is no model FacebookAI/roberta-large"}},
		{"no weights of either format", func(s *stage) {
			os.Remove(filepath.Join(s.hub.Folders["FacebookAI/roberta-large"], models.WeightsFile))
		}, omniscope.NotFound, []string{models.WeightsFile}},
		{"no network", func(s *stage) { s.client.Transport = noNetwork{} }, omniscope.Transient, []string{"no connection", "data import FOLDER --as bert_score/en"}},
		{"offline without a cache", func(s *stage) { s.client.Offline = true }, omniscope.NotFound, []string{"offline mode is on"}},
		{"other bytes than the digest says", func(s *stage) {
			s.hub.Before = func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.HasPrefix(r.URL.Path, "/cdn/") || !strings.HasSuffix(r.URL.Path, models.WeightsFile) {
					return false
				}
				info, _ := os.Stat(filepath.Join(s.hub.Folders["FacebookAI/roberta-large"], models.WeightsFile))
				w.Write(make([]byte, info.Size()))
				return true
			}
		}, omniscope.Malformed, []string{"digest"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			c.spoil(s)
			_, err := s.get("bert_score/en")
			mustFail(t, err, c.kind, c.tells...)
			s.leftNothing()
		})
	}
}

func TestGetWithoutHub(t *testing.T) {
	s := newStage(t)
	s.mustGet("bert_score/zh")
	s.client.Cache, s.client.Offline = t.TempDir(), true
	if f := s.mustGet("bert_score/zh"); len(f.Warnings) == 0 {
		t.Error("no warning")
	}
}

func TestGetModelConcurrently(t *testing.T) {
	s := newStage(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := s.get("comet/wmt22-comet-da"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s.mustGet("comet/wmt22-comet-da")
	for _, name := range below(t, s.root) {
		if !strings.HasPrefix(name, "comet/wmt22-comet-da/") {
			t.Errorf("%s is left", name)
		}
	}
}

func TestOfflineTheCacheServes(t *testing.T) {
	s := newStage(t)
	s.mustGet("bert_score/de")
	s.client.Offline = true
	s.hub.Requests()
	s.mustGet("bert_score/it")
	if asked := s.hub.Requests(); len(asked) > 0 {
		t.Errorf("asked %q", asked)
	}
}

func TestDamagedCache(t *testing.T) {
	s := newStage(t)
	f := s.mustGet("bert_score/en")
	blob, err := filepath.EvalSymlinks(filepath.Join(s.client.Cache, "models--FacebookAI--roberta-large", "snapshots", s.hub.Commit(), models.WeightsFile))
	fixture.OK(t, err)
	spoil(t, blob, 200_000)
	_, err = models.Verify(t.Context(), s.root, "bert_score/en", models.Options{})
	mustFail(t, err, omniscope.Invalid, f.Weights(), "data remove bert_score/en")
	fixture.OK(t, models.Remove(t.Context(), s.root, "bert_score/en"))
	_, err = s.get("bert_score/en")
	mustFail(t, err, omniscope.Malformed, blob, "delete it")
	s.leftNothing()
	fixture.OK(t, os.Remove(blob))
	s.mustGet("bert_score/en")
}
