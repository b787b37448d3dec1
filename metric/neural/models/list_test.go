package models_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/tools/neuralgen"
	"omniscope/metric/neural/models"
)

func TestExpand(t *testing.T) {
	all, err := models.Expand([]string{"bert_score/de", models.AllForMCIF, "bert_score/de"})
	if err != nil || !slices.IsSorted(all) || len(all) != len(models.Known) {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := models.Expand([]string{"BERTScore/de"}); err == nil || !strings.Contains(err.Error(), `no model "BERTScore/de"; did you mean bert_score/de?`) {
		t.Errorf("%v", err)
	}
	if none, err := models.Expand(nil); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}

func TestStateOfEntries(t *testing.T) {
	root := t.TempDir()
	fixture.OK(t, neuralgen.WriteRoot(root, neuralgen.Options{Seed: 1}))
	fixture.OK(t, os.Remove(filepath.Join(root, "bert_score", "de", models.InfoFile)))
	fixture.OK(t, os.RemoveAll(filepath.Join(root, "comet")))
	for _, e := range models.List(root) {
		want := "kB, from "
		switch e.Model.Name {
		case "bert_score/de":
			want = "not whole: "
		case "comet/wmt22-comet-da":
			want = "-"
		}
		if got := e.State(); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", e.Model.Name, got, want)
		}
		if r := e.Row(); r.Name != e.Model.Name || r.There != e.There || (r.Problem != "") != (e.Problem != "") || (r.Bytes > 0) != e.There {
			t.Errorf("%+v of %+v", r, e)
		}
	}
	if there := models.There(root); len(there) != len(models.Known)-1 || slices.Contains(there, "comet/wmt22-comet-da") {
		t.Errorf("there are %v", there)
	}
}

func TestConvert(t *testing.T) {
	dir := made(t, "tiny-bert_score/zh", true)
	from := filepath.Join(dir, "pytorch_model.bin")
	told := false
	out, err := models.Convert(t.Context(), from, "", false, models.Options{Progress: func(what string, _, _ int64) { told = told || what == "convert pytorch_model.bin" }})
	if err != nil || out != filepath.Join(dir, "pytorch_model.safetensors") || !told {
		t.Fatalf("%s, %v, told %t", out, err, told)
	}
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ path, out, want string }{
		{from, "", "is there already"},
		{from, from, "would be written over"},
		{dir, "", "is a folder: say with --as which model it is"},
	} {
		if _, err := models.Convert(t.Context(), c.path, c.out, false, models.Options{}); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s to %q: %v, want %q", c.path, c.out, err, c.want)
		}
	}
	if _, err := models.Convert(t.Context(), from, out, true, models.Options{}); err != nil {
		t.Error(err)
	}
	if _, err := models.Convert(t.Context(), filepath.Join(dir, "absent"), "", false, models.Options{}); err == nil {
		t.Error("a file that is not there was converted")
	}
}
