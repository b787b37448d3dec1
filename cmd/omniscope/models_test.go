package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/tools/neuralgen"
	"omniscope/metric/neural/models"
)

// makeModel is the script command
//
//	made SHAPE FOLDER [checkpoint]   make a folder of random weights
//	made hostile FILE                make a file of torch that would run a program
func makeModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: made SHAPE FOLDER [checkpoint]")
	}
	dir, o := ts.MkAbs(args[1]), neuralgen.Options{Seed: 1, Checkpoint: slices.Contains(args[2:], "checkpoint")}
	if args[0] == "hostile" {
		f, err := os.Create(dir)
		ts.Check(err)
		ts.Check(errors.Join(neuralgen.Hostile(f), f.Close()))
		return
	}
	s, err := neuralgen.Find(args[0])
	ts.Check(err)
	ts.Check(neuralgen.Write(dir, s, o))
}

// startModelHub is the script command
//
//	hub [TOKEN]   start a hub with tiny models for those who show the token, and set HF_ENDPOINT and HF_HOME
func startModelHub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: hub [TOKEN]")
	}
	h, err := tinyHub(ts.MkAbs("hub"))
	ts.Check(err)
	if len(args) == 1 {
		h.Token = args[0]
	}
	server := httptest.NewServer(h)
	ts.Defer(server.Close)
	h.CDN = server.URL
	ts.Setenv("HF_ENDPOINT", server.URL)
	ts.Setenv("HF_HOME", ts.MkAbs("hf"))
}

// tinyHub has tiny models where the real hub has the known ones, as files of
// torch, but for English.
func tinyHub(dir string) (*neuralgen.Hub, error) {
	h := &neuralgen.Hub{Folders: make(map[string]string)}
	for repo, shape := range map[string]string{
		"FacebookAI/roberta-large":                 "tiny-bert_score/en",
		"google-bert/bert-base-multilingual-cased": "tiny-bert_score/de",
		"google-bert/bert-base-chinese":            "tiny-bert_score/zh",
		"Unbabel/wmt22-comet-da":                   "tiny-comet",
	} {
		s, err := neuralgen.Find(shape)
		if err != nil {
			return nil, err
		}
		at := filepath.Join(dir, filepath.FromSlash(repo))
		if err := neuralgen.Write(at, s, neuralgen.Options{Seed: 1, Checkpoint: shape != "tiny-bert_score/en"}); err != nil {
			return nil, err
		}
		h.Folders[repo] = at
	}
	h.Folders["FacebookAI/xlm-roberta-large"] = h.Folders["Unbabel/wmt22-comet-da"]
	return h, nil
}

// setModelHub makes the environment that of a user of a hub with tiny models,
// an empty cache and an empty root.
func setModelHub(t *testing.T) (h *neuralgen.Hub, root string) {
	t.Helper()
	h, err := tinyHub(t.TempDir())
	fixture.OK(t, err)
	h.Token = hubToken
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	h.CDN = server.URL
	setHub(t, &aHub{Server: server})
	root = t.TempDir()
	t.Setenv(models.RootEnv, root)
	return h, root
}

func TestGetModelsForMCIF(t *testing.T) {
	h, root := setModelHub(t)
	v := command(t.Context(), "data", "get", "mcif", "--part", "networks", "--quiet").must(t, exitDone)
	if v.errOut != "" {
		t.Error(v.errOut)
	}
	for _, m := range models.Known {
		v.prints(t, m.Name+": "+filepath.Join(root, filepath.FromSlash(m.Name)), m.Licence)
	}
	h.Requests()
	if again := command(t.Context(), "data", "get", "mcif", "--part", "networks", "--quiet").ends(t, exitDone); again.out != v.out {
		t.Errorf("the second time: %s", again.out)
	}
	for _, r := range h.Requests() {
		if strings.HasPrefix(r, "GET") {
			t.Errorf("it was downloaded again: %s", r)
		}
	}
	if out := command(t.Context(), "data", "verify").ends(t, exitDone).out; strings.Count(out, " files compared with their digests, 0 damaged") != len(models.Known) {
		t.Error(out)
	}
	var listing struct{ Networks []models.Row }
	fixture.OK(t, json.Unmarshal([]byte(command(t.Context(), "data", "list", "--json").must(t, exitDone).out), &listing))
	rows := listing.Networks
	if len(rows) != len(models.Known) {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		if !r.There || r.Bytes == 0 || r.From != os.Getenv("HF_ENDPOINT")+"/"+r.Repo {
			t.Errorf("%+v", r)
		}
	}
}

func TestHubDeniesModel(t *testing.T) {
	_, root := setModelHub(t)
	t.Setenv("HF_TOKEN", "hf_wrong")
	command(t.Context(), "data", "get", "comet/wmt22-comet-da").ends(t, exitFailed).
		says(t, "accept the conditions at "+os.Getenv("HF_ENDPOINT")+"/Unbabel/wmt22-comet-da", "HF_TOKEN").saysNo(t, "hf_wrong").lacks(t, "hf_wrong")
	if _, err := models.Find(root, "comet/wmt22-comet-da"); err == nil {
		t.Error("it is there")
	}
}

// An address with a password must not be seen in what is printed and kept.
func TestMirrorPasswordsHidden(t *testing.T) {
	h, root := setModelHub(t)
	h.Token = ""
	t.Setenv("HF_ENDPOINT", strings.Replace(os.Getenv("HF_ENDPOINT"), "://", "://user:"+secretPassword+"@", 1))
	v := command(t.Context(), "data", "get", "bert_score/zh").must(t, exitDone)
	kept := fixture.Read(t, filepath.Join(root, "bert_score", "zh", models.InfoFile))
	all := v.out + v.errOut + kept + command(t.Context(), "data", "list", "bert_score/zh").out
	if strings.Contains(all, secretPassword[:tellingStart]) {
		t.Errorf("the password is shown: %s", all)
	}
}

func TestResumeInterruptedGet(t *testing.T) {
	h, root := setModelHub(t)
	ctx, cancel := context.WithCancel(t.Context())
	h.Before = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "pytorch_model.bin") && ctx.Err() == nil {
			cancel()
			<-r.Context().Done()
		}
		return false
	}
	command(ctx, "data", "get", "bert_score/zh").ends(t, exitInterrupted).says(t, "run the same command again")
	if _, err := models.Find(root, "bert_score/zh"); err == nil {
		t.Error("it is there")
	}
	command(t.Context(), "data", "get", "bert_score/zh").ends(t, exitDone)
}
