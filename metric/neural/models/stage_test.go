package models_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/hub"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/tools/neuralgen"
	"omniscope/metric/neural/models"
)

const secret = "hf_averysecrettoken"

// A stage is a hub with tiny models, a cache and a root, both empty.
type stage struct {
	*testing.T
	hub    *neuralgen.Hub
	client *hub.Client
	root   string
}

// newStage has repositories as the hub has them: bert_score/en with
// safetensors, the others with files of torch.
func newStage(t *testing.T) *stage {
	t.Helper()
	made := t.TempDir()
	write := func(shape string, checkpoint bool) string {
		s, err := neuralgen.Find(shape)
		fixture.OK(t, err)
		dir := filepath.Join(made, filepath.FromSlash(shape))
		fixture.OK(t, neuralgen.Write(dir, s, neuralgen.Options{Seed: 1, Checkpoint: checkpoint}))
		return dir
	}
	comet := write("tiny-comet", true)
	h := &neuralgen.Hub{Folders: map[string]string{
		"FacebookAI/roberta-large":                 write("tiny-bert_score/en", false),
		"google-bert/bert-base-multilingual-cased": write("tiny-bert_score/de", true),
		"google-bert/bert-base-chinese":            write("tiny-bert_score/zh", true),
		"Unbabel/wmt22-comet-da":                   comet,
		"FacebookAI/xlm-roberta-large":             comet,
	}}
	server, cdn := httptest.NewServer(h), httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the token was sent to another server")
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(cdn.Close)
	h.CDN = cdn.URL
	return &stage{T: t, hub: h, root: filepath.Join(t.TempDir(), "models"),
		client: &hub.Client{Endpoint: server.URL, Token: omniscope.NewSecret(secret), Cache: t.TempDir()}}
}

func (s *stage) get(name string) (models.Folder, error) {
	return models.Get(s.Context(), s.client, s.root, name, models.Options{By: "test"})
}

func (s *stage) mustGet(name string) models.Folder {
	s.Helper()
	f, err := s.get(name)
	if err != nil {
		s.Fatal(err)
	}
	if found, err := models.Find(s.root, name); err != nil || found.Digest() != f.Digest() {
		s.Fatalf("found %v, %v", found, err)
	}
	if _, err := models.Verify(s.Context(), s.root, name, models.Options{}); err != nil {
		s.Fatal(err)
	}
	return f
}

// noNetwork is what a machine without a connection says, whose names nobody
// looks up.
type noNetwork struct{}

func (noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, &net.DNSError{Err: "no such host", Name: r.URL.Host, IsNotFound: true}
}

// below lists what lies under a folder, locks apart.
func below(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".lock") {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	fixture.OK(t, err)
	return names
}

func mustFail(t *testing.T, err error, kind omniscope.Kind, tells ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one of kind %s that tells %q", kind, tells)
	}
	if omniscope.KindOf(err) != kind {
		t.Errorf("%q is of kind %s, want %s", err, omniscope.KindOf(err), kind)
	}
	for _, what := range tells {
		if !strings.Contains(err.Error(), what) {
			t.Errorf("%q does not tell %q", err, what)
		}
	}
	for _, hidden := range []string{secret, "Signature"} {
		if strings.Contains(err.Error(), hidden) {
			t.Errorf("%q tells %q", err, hidden)
		}
	}
}

func (s *stage) leftNothing() {
	s.Helper()
	if left := below(s.T, s.root); len(left) > 0 {
		s.Errorf("%q is left", left)
	}
}

// spoil changes one byte of a file.
func spoil(t *testing.T, path string, at int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	fixture.OK(t, err)
	defer f.Close()
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 0x55
	if _, err := f.WriteAt(b[:], at); err != nil {
		t.Fatal(err)
	}
}
