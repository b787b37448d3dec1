package verify

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/train"
)

func run(t *testing.T, base, checkpoint string, stage train.Stage) *Report {
	t.Helper()
	r, err := Run(t.Context(), Options{Base: base, Checkpoint: checkpoint, Stage: stage})
	fixture.OK(t, err)
	return r
}

// mustPass and mustFail look at a verdict; the failures must say something.
func mustPass(t *testing.T, r *Report) {
	t.Helper()
	if !r.Passed || len(r.Failures) > 0 {
		t.Errorf("not passed: %q", r.Failures)
	}
}

func mustFail(t *testing.T, r *Report, says ...string) {
	t.Helper()
	text := strings.Join(r.Failures, "\n")
	for _, s := range says {
		if !strings.Contains(text, s) {
			t.Errorf("failures do not say %q: %s", s, text)
		}
	}
	if r.Passed || len(r.Failures) == 0 {
		t.Error("passed")
	}
}

func TestStage1(t *testing.T) {
	base := newToy()
	after := base.trained("audio_tower", "model", "lm_head").thinker(true)
	r := run(t, base.save(t, 3), after.save(t, 2), train.AudioCaptioner)
	mustPass(t, r)
	var names []string
	for _, p := range r.Parts {
		names = append(names, p.Name)
	}
	if want := []string{visualPart, audioPart, llm, "lm_head", "talker", "token2wav"}; !slices.Equal(names, want) {
		t.Errorf("parts %q, want %q", names, want)
	}
	visual, audio := r.part(visualPart), r.part(audioPart)
	if visual.Tensors != 5 || visual.Equal != 5 || visual.ChangedElements != 0 || *visual.RelativeChange != 0 {
		t.Errorf("visual: %+v", *visual)
	}
	if audio.Tensors != 7 || audio.Equal != 1 || audio.Changed != 6 || math.Abs(*audio.RelativeChange-0.03) > 0.005 || math.Abs(audio.LargestChange-0.03) > 0.01 {
		t.Errorf("audio_tower: %+v, relative %v", *audio, *audio.RelativeChange)
	}
	notes := strings.Join(r.Notes, "\n")
	for _, s := range []string{"audio_tower: 1 tensor (audio_tower.audio_bos_eos_token.weight)", "talker is not in the checkpoint", "token2wav is not in the checkpoint"} {
		if !strings.Contains(notes, s) {
			t.Errorf("notes do not say %q: %s", s, notes)
		}
	}
}

// A single file, a folder and an index are the same model.
func TestFormsOfModels(t *testing.T) {
	base, after := newToy().save(t, 1), newToy().trained("audio_tower", "model").save(t, 4)
	mustPass(t, run(t, filepath.Join(base, single), filepath.Join(after, index), train.AudioCaptioner))
}

func TestStage2(t *testing.T) {
	base := newToy()
	mustPass(t, run(t, base.save(t, 1), base.trained("visual", "audio_tower", "model").save(t, 3), train.OmniCaptioner))
}

// ms-swift's --freeze_vit true leaves the sound encoder as it was.
func TestStage1WithDefaultFreezing(t *testing.T) {
	base := newToy()
	r := run(t, base.save(t, 2), base.trained("model", "lm_head").save(t, 2), train.AudioCaptioner)
	mustFail(t, r, "audio_tower is unchanged", "9637", "--trainable_parameters thinker.audio_tower")
}

func TestWrongFreezing(t *testing.T) {
	base := newToy()
	for _, c := range []struct {
		name    string
		stage   train.Stage
		trained []string
		says    string
	}{
		{"stage 1, only the projector of sound", 1, []string{"audio_tower.proj", "model"}, "audio_tower changed only in part: 84.7% of its weights"},
		{"stage 1, only the projector of sound, why", 1, []string{"audio_tower.proj", "model"}, "only the projector was trained"},
		{"stage 1, one layer of sound", 1, []string{"audio_tower.layers.1", "model"}, "audio_tower changed only in part"},
		{"stage 1, all but one layer", 1, []string{"audio_tower.layers.1", "audio_tower.conv1", "audio_tower.proj", "model"}, "audio_tower.layers.0.fc1.weight"},
		{"stage 1, language model frozen", 1, []string{"audio_tower"}, "model is unchanged; stage 1 trains it: it was frozen (ms-swift: --freeze_llm false"},
		{"stage 1, everything trained", 1, []string{"visual", "audio_tower", "model"}, "visual changed in 5 tensors"},
		{"stage 1, visual merger trained", 1, []string{"visual.merger", "audio_tower", "model"}, "VeOmni's train.freeze_vit leaves trainable"},
		{"stage 2, visual frozen", 2, []string{"audio_tower", "model"}, "visual is unchanged; stage 2 trains it"},
		{"stage 2, visual merger alone", 2, []string{"visual.merger", "audio_tower", "model"}, "visual changed only in part"},
		{"stage 2, sound frozen", 2, []string{"visual", "model"}, "no row had sound"},
		{"nothing trained", 2, nil, "all tensors are those of the base model"},
		{"only lm_head", 1, []string{"lm_head"}, "model is unchanged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustFail(t, run(t, base.save(t, 1), base.trained(c.trained...).save(t, 2), c.stage), c.says)
		})
	}
}

// Vectors that did not change are no sign of freezing.
func TestUnchangedNorms(t *testing.T) {
	base := newToy()
	after := base.trained("audio_tower", "model")
	for name := range after {
		if strings.Contains(name, "norm") {
			after[name] = base[name]
		}
	}
	mustPass(t, run(t, base.save(t, 1), after.save(t, 1), train.AudioCaptioner))
}

func TestNumbersThatAreNotFinite(t *testing.T) {
	base := newToy()
	const name = "thinker.model.layers.1.mlp.up_proj.weight"
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		after := base.trained("audio_tower", "model")
		after[name].values[7] = bad
		r := run(t, base.save(t, 1), after.save(t, 2), train.AudioCaptioner)
		mustFail(t, r, "tensor model.layers.1.mlp.up_proj.weight has 1 number that is NaN or infinite: the training diverged")
		if math.IsNaN(*r.part(llm).RelativeChange) || math.IsNaN(r.part(llm).LargestChange) {
			t.Errorf("%v spoils the sums", bad)
		}
		mustFail(t, run(t, after.save(t, 1), after.trained("audio_tower", "model").save(t, 1), train.AudioCaptioner), "of the base model")
	}
	after := base.trained("audio_tower", "model")
	after["talker.model.embed_tokens.weight"].values[0] = math.NaN()
	mustFail(t, run(t, base.save(t, 1), after.save(t, 1), train.AudioCaptioner), "talker.model.embed_tokens.weight")
}

func TestIncompleteCheckpoints(t *testing.T) {
	base, after := newToy(), newToy().trained("audio_tower", "model")
	for _, c := range []struct {
		name string
		m    toy
		says string
	}{
		{"a tensor is missing", after.with("thinker.model.layers.0.mlp.up_proj.weight", array{}), "the checkpoint lacks 1 tensor (model.layers.0.mlp.up_proj.weight) of model"},
		{"adapters", after.with("thinker.model.layers.0.lora_A.weight", array{"F32", []int{1}, []float64{1}}), "weights of adapters in model"},
		{"another model", after.with("thinker.model.layers.9.w", array{"F32", []int{1}, []float64{1}}), "which the base model does not have"},
		{"other names", toy{"decoder.w": {"F32", []int{1}, []float64{1}}}, "Megatron"},
	} {
		t.Run(c.name, func(t *testing.T) { mustFail(t, run(t, base.save(t, 1), c.m.save(t, 1), 1), c.says) })
	}
	r := run(t, base.save(t, 1), after.with("thinker.lm_head.weight", array{}).save(t, 1), 1)
	mustPass(t, r)
	if p := r.part("lm_head"); p.Missing != 1 || !strings.Contains(strings.Join(r.Notes, " "), "lm_head.weight) of lm_head: not in the checkpoint") {
		t.Errorf("%+v, %q", p, r.Notes)
	}
	far := base.trained("audio_tower", "model")
	for i := range far["thinker.model.embed_tokens.weight"].values {
		far["thinker.model.embed_tokens.weight"].values[i] = 9
	}
	if r := run(t, base.save(t, 1), far.save(t, 1), 1); !strings.Contains(strings.Join(r.Notes, " "), "is BASE the model that it started from?") {
		t.Errorf("notes %q", r.Notes)
	}
}

func TestRefusedModels(t *testing.T) {
	base, after := newToy(), newToy().trained("audio_tower", "model")
	for _, c := range []struct {
		name  string
		spoil func(dir string) string // returns what to compare
		says  []string
	}{
		{"a shard is cut off", func(dir string) string { cut(t, filepath.Join(dir, "model-b.safetensors"), 40); return dir }, []string{"model-b.safetensors", "cut off", "tensor"}},
		{"a shard is cut off in its header", func(dir string) string { cut(t, filepath.Join(dir, "model-b.safetensors"), 1<<20); return dir }, []string{"model-b.safetensors", "cut off"}},
		{"a shard is empty", func(dir string) string { write(t, filepath.Join(dir, "model-a.safetensors"), nil); return dir }, []string{"model-a.safetensors", "it is empty"}},
		{"a shard is missing", func(dir string) string { os.Remove(filepath.Join(dir, "model-c.safetensors")); return dir }, []string{"model-c.safetensors is missing", "for tensor thinker."}},
		{"a shard is another one", func(dir string) string {
			os.Rename(filepath.Join(dir, "model-a.safetensors"), filepath.Join(dir, "model-b.safetensors"))
			return dir
		}, []string{"model-a.safetensors is missing"}},
		{"shards are exchanged", func(dir string) string {
			a, b, c := filepath.Join(dir, "model-a.safetensors"), filepath.Join(dir, "model-b.safetensors"), filepath.Join(dir, "x")
			os.Rename(a, c)
			os.Rename(b, a)
			os.Rename(c, b)
			return dir
		}, []string{"model-a.safetensors lacks tensor"}},
		{"an index that is no JSON", func(dir string) string { write(t, filepath.Join(dir, index), []byte("{")); return dir }, []string{index, "cannot be read"}},
		{"an index of nothing", func(dir string) string { write(t, filepath.Join(dir, index), []byte("{}")); return dir }, []string{"no weight_map"}},
		{"an index that leads elsewhere", func(dir string) string {
			write(t, filepath.Join(dir, index), []byte(`{"weight_map":{"w":"../x.safetensors"}}`))
			return dir
		}, []string{"not the name of a file beside it"}},
		{"an index beside a single file", func(dir string) string {
			write(t, filepath.Join(dir, single), base.file([]string{"thinker.lm_head.weight"}))
			return dir
		}, []string{"of which one is of another model"}},
		{"an adapter", func(dir string) string {
			os.Remove(filepath.Join(dir, index))
			write(t, filepath.Join(dir, adapter), nil)
			return dir
		}, []string{"holds an adapter"}},
		{"no model", func(string) string { return t.TempDir() }, []string{"holds neither"}},
		{"a file of something else", func(dir string) string {
			write(t, filepath.Join(dir, "x.bin"), nil)
			return filepath.Join(dir, "x.bin")
		}, []string{"neither a folder nor"}},
		{"nothing", func(dir string) string { return dir + "/none" }, []string{"none"}},
		{"another type", func(string) string {
			return after.with("thinker.lm_head.weight", array{"F32", []int{40, 8}, base["thinker.lm_head.weight"].values}).save(t, 1)
		}, []string{"tensor thinker.lm_head.weight is BF16 in", "and F32 in"}},
		{"another shape", func(string) string {
			return after.with("thinker.lm_head.weight", array{"BF16", []int{8, 40}, base["thinker.lm_head.weight"].values}).save(t, 1)
		}, []string{"tensor thinker.lm_head.weight has shape [40 8]", "and [8 40]"}},
		{"one name twice", func(string) string { return after.with("lm_head.weight", base["thinker.lm_head.weight"]).save(t, 1) }, []string{"lm_head.weight"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Run(t.Context(), Options{Base: base.save(t, 1), Checkpoint: c.spoil(after.save(t, 3)), Stage: 1})
			if kind := omniscope.KindOf(err); err == nil || kind != omniscope.Invalid && kind != omniscope.NotFound {
				t.Fatalf("error %v of kind %v", err, kind)
			}
			for _, s := range c.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("error does not say %q: %v", s, err)
				}
			}
		})
	}
}

// cut takes bytes off the end of a file.
func cut(t *testing.T, path string, n int64) {
	t.Helper()
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, max(9, info.Size()-n))
	}
	fixture.OK(t, err)
}

func TestSameReportWithAnyThreads(t *testing.T) {
	base, after := newToy().save(t, 2), newToy().trained("audio_tower", "model").save(t, 3)
	var first *Report
	for _, threads := range []int{1, 2, 7} {
		var last int64
		r, err := Run(t.Context(), Options{Base: base, Checkpoint: after, Stage: 1, Threads: threads, Progress: func(done, total int64) {
			if threads == 1 && (done <= last || done > total) {
				t.Errorf("progress %d after %d of %d", done, last, total)
			}
			if threads == 1 {
				last = done
			}
		}})
		fixture.OK(t, err)
		if first == nil {
			first = r
		}
		if !reflect.DeepEqual(first, r) {
			t.Errorf("%d threads: %+v, want %+v", threads, r, first)
		}
	}
}

func TestNoSuchStage(t *testing.T) {
	if _, err := Run(t.Context(), Options{Stage: 3}); omniscope.KindOf(err) != omniscope.Usage {
		t.Error(err)
	}
}
