package models_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/tools/neuralgen"
	"omniscope/metric/neural/models"
)

func TestStateOfEntries(t *testing.T) {
	root := t.TempDir()
	fixture.OK(t, neuralgen.WriteRoot(root, neuralgen.Options{Seed: 1}))
	fixture.OK(t, os.Remove(filepath.Join(root, "bert_score", "de", models.InfoFile)))
	fixture.OK(t, os.RemoveAll(filepath.Join(root, "comet")))
	for _, e := range models.List(root) {
		broken, absent := e.Model.Name == "bert_score/de", e.Model.Name == "comet/wmt22-comet-da"
		if (e.Problem != "") != broken || e.There == (broken || absent) {
			t.Errorf("%s: there %t, problem %q", e.Model.Name, e.There, e.Problem)
		}
		if r := e.Row(); r.Name != e.Model.Name || r.There != e.There || (r.Problem != "") != (e.Problem != "") || (r.Bytes > 0) != e.There {
			t.Errorf("%+v of %+v", r, e)
		}
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
