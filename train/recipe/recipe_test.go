package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
	"omniscope/train"
)

// A kind of recipe is a trainer and a stage that it can do.
type kind struct {
	trainer Trainer
	stage   train.Stage
}

var possible = []kind{{MSSwift, 1}, {MSSwift, 2}, {LLaMAFactory, 2}, {VeOmni, 1}, {VeOmni, 2}, {Automodel, 1}}

func (k kind) String() string { return fmt.Sprintf("%s, %s", k.trainer, k.stage) }

// options are those of a recipe in a folder of its own.
func options(t *testing.T, k kind) Options {
	dir := t.TempDir()
	rows := filepath.Join(dir, "rows.jsonl")
	fixture.OK(t, os.WriteFile(rows, []byte("{}\n"), 0o644))
	return Options{Trainer: k.trainer, Stage: k.stage, Model: "Qwen/Qwen2.5-Omni-7B", Rows: rows, Out: filepath.Join(dir, "out")}
}

func written(t *testing.T, o Options) *recipe {
	t.Helper()
	r, err := Write(t.Context(), o)
	fixture.OK(t, err)
	return r
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	fixture.OK(t, err)
	return string(text)
}

// settingsIn are the settings of a recipe's folder by the trainer's names.
func settingsIn(t *testing.T, k kind, dir string) map[string]string {
	t.Helper()
	c := &checker{dir: dir, recipe: &recipe{Trainer: k.trainer, Stage: k.stage}, file: yamlFile}
	if k.trainer == MSSwift {
		c.file = scriptFile
	}
	fixture.OK(t, c.read())
	values := make(map[string]string)
	for _, f := range c.list {
		values[f.name] = f.value
	}
	return values
}

// published are the paper's values: section 4.1, A.1.
var published = map[kind]map[string]string{
	{MSSwift, 1}: {"--tuner_type": "full", "--freeze_llm": "false", "--freeze_vit": "true", "--freeze_aligner": "true", "--trainable_parameters": "thinker.audio_tower",
		"--learning_rate": "5.0e-6", "--lr_scheduler_type": "linear", "--per_device_train_batch_size": "2", "--gradient_accumulation_steps": "4", "--num_train_epochs": "2", "NPROC_PER_NODE": "8"},
	{MSSwift, 2}: {"--tuner_type": "full", "--freeze_llm": "false", "--freeze_vit": "false", "--freeze_aligner": "false", "USE_AUDIO_IN_VIDEO": "true",
		"--learning_rate": "5.0e-6", "--lr_scheduler_type": "linear", "--per_device_train_batch_size": "1", "--gradient_accumulation_steps": "2", "--num_train_epochs": "2", "NPROC_PER_NODE": "8"},
	{LLaMAFactory, 2}: {"stage": "sft", "do_train": "true", "finetuning_type": "full", "freeze_vision_tower": "false", "freeze_multi_modal_projector": "false", "freeze_language_model": "false", "use_audio_in_video": "true",
		"learning_rate": "5.0e-6", "lr_scheduler_type": "linear", "per_device_train_batch_size": "1", "gradient_accumulation_steps": "2", "num_train_epochs": "2"},
	{VeOmni, 1}: {"train.freeze_vit": "true", "train.freeze_audio_tower": "false", "train.optimizer.lr": "5.0e-6", "train.vit_lr": "5.0e-6", "train.optimizer.lr_decay_style": "linear",
		"train.micro_batch_size": "2", "train.global_batch_size": "64", "train.num_train_epochs": "2"},
	{VeOmni, 2}: {"train.freeze_vit": "false", "train.freeze_audio_tower": "false", "train.optimizer.lr": "5.0e-6", "train.vit_lr": "5.0e-6", "train.optimizer.lr_decay_style": "linear",
		"train.micro_batch_size": "1", "train.global_batch_size": "16", "train.num_train_epochs": "2", "data.mm_configs.use_audio_in_video": "true"},
	{Automodel, 1}: {"freeze_config.freeze_vision_tower": "true", "freeze_config.freeze_audio_tower": "false", "optimizer._target_": "torch.optim.AdamW", "optimizer.lr": "5.0e-6", "lr_scheduler.lr_decay_style": "linear",
		"step_scheduler.local_batch_size": "2", "step_scheduler.global_batch_size": "64", "step_scheduler.num_epochs": "2", "dataset.user_prompt": "null"},
}

// further are the names of values that are ours, as read in the trainers, and of model, rows and places.
var further = map[kind]string{
	{MSSwift, 1}:      "--model --dataset --output_dir --warmup_ratio --weight_decay --max_length --strict --torch_dtype --deepspeed --save_strategy --seed --data_seed ENABLE_AUDIO_OUTPUT",
	{MSSwift, 2}:      "--model --dataset --output_dir --warmup_ratio --weight_decay --max_length --strict --torch_dtype --deepspeed --save_strategy --seed --data_seed ENABLE_AUDIO_OUTPUT FPS FPS_MAX_FRAMES VIDEO_MAX_PIXELS",
	{LLaMAFactory, 2}: "model_name_or_path dataset dataset_dir media_dir template output_dir warmup_ratio weight_decay cutoff_len video_fps video_maxlen video_max_pixels bf16 deepspeed save_strategy seed",
	{VeOmni, 1}: "model.model_path data.train_path data.source_name data.data_type data.max_seq_len train.checkpoint.output_dir train.checkpoint.save_epochs train.optimizer.lr_warmup_ratio train.optimizer.weight_decay " +
		"train.dyn_bsz train.accelerator.fsdp_config.fsdp_mode train.seed",
	{VeOmni, 2}: "model.model_path data.train_path data.source_name data.data_type data.max_seq_len train.checkpoint.output_dir train.checkpoint.save_epochs train.optimizer.lr_warmup_ratio train.optimizer.weight_decay " +
		"train.dyn_bsz train.accelerator.fsdp_config.fsdp_mode train.seed data.mm_configs.fps data.mm_configs.max_frames data.mm_configs.video_max_pixels",
	{Automodel, 1}: "model.pretrained_model_name_or_path model._target_ dataset._target_ dataset.path_or_dataset dataset.audio_column dataset.text_column freeze_config.freeze_language_model freeze_config.freeze_embeddings " +
		"lr_scheduler.lr_warmup_steps optimizer.weight_decay distributed.strategy checkpoint.enabled checkpoint.checkpoint_dir checkpoint.model_save_format checkpoint.save_consolidated rng.seed rng._target_ " +
		"recipe loss_fn._target_ dataloader._target_ dataloader.collate_fn",
}

func TestPublishedValues(t *testing.T) {
	for _, k := range possible {
		o := options(t, k)
		written(t, o)
		values := settingsIn(t, k, o.Out)
		for name, want := range published[k] {
			if values[name] != want {
				t.Errorf("%s: %s is %q, want %q", k, name, values[name], want)
			}
		}
		names := append(slices.Sorted(maps.Keys(published[k])), strings.Fields(further[k])...)
		slices.Sort(names)
		if got := slices.Sorted(maps.Keys(values)); !slices.Equal(got, names) {
			t.Errorf("%s: names\n%s\nwant\n%s", k, got, names)
		}
		for _, name := range names {
			if !slices.Contains(known(k.trainer), name) {
				t.Errorf("%s: %s is not among the known names", k, name)
			}
		}
	}
}

// Each line with a value says where the value comes from, and those of the paper are the paper's.
func TestValuesAreMarked(t *testing.T) {
	for _, k := range possible {
		o := options(t, k)
		o.Set = map[string]string{"epochs": "3"}
		written(t, o)
		file := yamlFile
		if k.trainer == MSSwift {
			file = scriptFile
		}
		for line := range strings.Lines(read(t, o.Out, file)) {
			trimmed := strings.TrimSpace(line)
			value := k.trainer != MSSwift && !strings.HasSuffix(trimmed, ":") && !strings.HasPrefix(trimmed, "#") ||
				strings.HasPrefix(trimmed, "--") || strings.HasPrefix(trimmed, "export ")
			_, mark, _ := strings.Cut(trimmed, "  # ")
			source, _, _ := strings.Cut(mark, ":")
			if value && source != string(Paper) && source != string(Ours) && source != string(Yours) {
				t.Errorf("%s: no mark: %s", k, trimmed)
			}
			if strings.Contains(line, "epoch") && strings.Contains(line, " 3 ") && source != string(Yours) || strings.Contains(line, "linear") && source != string(Paper) {
				t.Errorf("%s: marked %s: %s", k, source, trimmed)
			}
		}
	}
}

func TestBatchOnOtherMachines(t *testing.T) {
	for _, k := range possible {
		for _, m := range [][2]int{{1, 1}, {2, 1}, {4, 1}, {8, 1}, {16, 1}, {8, 2}, {1, 4}} {
			o := options(t, k)
			o.GPUs, o.Machines = m[0], m[1]
			r := written(t, o)
			values := settingsIn(t, k, o.Out)
			batch := map[train.Stage]int{1: 64, 2: 16}[k.stage]
			steps := fmt.Sprint(batch / (m[0] * m[1] * map[train.Stage]int{1: 2, 2: 1}[k.stage]))
			if r.value("accumulation") != steps || r.value("batch") != fmt.Sprint(batch) {
				t.Errorf("%s on %v: accumulation %s, want %s", k, m, r.value("accumulation"), steps)
			}
			for _, name := range []string{"--gradient_accumulation_steps", "gradient_accumulation_steps"} {
				if got, ok := values[name]; ok && got != steps {
					t.Errorf("%s on %v: %s %s, want %s", k, m, name, got, steps)
				}
			}
			findings, err := Check(t.Context(), o.Out, 0)
			if err != nil || len(findings) > 0 {
				t.Errorf("%s on %v: %v, %v", k, m, findings, err)
			}
		}
	}
}

func TestRefusedOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		kind kind
		edit func(o *Options)
		says string
	}{
		{"another trainer", kind{"trl", 1}, nil, `there is no trainer "trl"; there are: [ms-swift llama-factory veomni automodel]`},
		{"a misspelt trainer", kind{"llamafactory", 2}, nil, "did you mean llama-factory?"},
		{"no stage", kind{MSSwift, 0}, nil, "name the stage"},
		{"stage 1 with llama-factory", kind{LLaMAFactory, 1}, nil, "freezes the visual and the sound encoder together, and stage 1 trains the sound encoder; use ms-swift"},
		{"stage 2 with automodel", kind{Automodel, 2}, nil, "without their sound; use ms-swift"},
		{"3 GPUs", kind{MSSwift, 1}, func(o *Options) { o.GPUs = 3 }, "the batch of 64 cannot be divided among 3 GPUs with 2 rows each: with --set batch_per_gpu=2 these numbers of GPUs (--gpus times --machines) do: 1, 2, 4, 8, 16, 32"},
		{"32 GPUs in stage 2", kind{VeOmni, 2}, func(o *Options) { o.Machines = 4 }, "among 32 GPUs with 1 rows each: with --set batch_per_gpu=1 these numbers of GPUs (--gpus times --machines) do: 1, 2, 4, 8, 16"},
		{"too many GPUs to multiply", kind{VeOmni, 2}, func(o *Options) { o.GPUs, o.Machines = 1<<32, 1<<32 }, "no batch can be divided"},
		{"no GPUs", kind{MSSwift, 1}, func(o *Options) { o.GPUs = -1 }, "at least 1"},
		{"3 rows per GPU", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"batch_per_gpu": "3"} }, "batch_per_gpu=3 does not divide the batch of 64: these do: 1, 2, 4, 8, 16, 32, 64"},
		{"no rows per GPU", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"batch_per_gpu": "0"} }, "does not divide"},
		{"another batch", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"batch": "32"} }, "it cannot be set"},
		{"other freezing", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"frozen": "none"} }, "it is what the stage is"},
		{"an unknown setting", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"learning_rte": "1"} }, "did you mean learning_rate?"},
		{"a setting of others", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"template": "x"} }, "ms-swift has no argument that takes it"},
		{"frames of sound", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"fps": "1"} }, "stage 1 has no videos"},
		{"a rate in words", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"learning_rate": "low"} }, "it is a number of at least 0"},
		{"a rate that is none", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"learning_rate": "NaN"} }, "it is a number of at least 0"},
		{"half an epoch", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"epochs": "1.5"} }, "whole number"},
		{"half true", kind{MSSwift, 1}, func(o *Options) { o.Set = map[string]string{"strict": "maybe"} }, "true or false"},
		{"a schedule of two lines", kind{VeOmni, 1}, func(o *Options) { o.Set = map[string]string{"schedule": "linear\nx: 1"} }, "cannot be written"},
		{"no model", kind{MSSwift, 1}, func(o *Options) { o.Model = "" }, "give --model"},
		{"a model like an argument", kind{MSSwift, 1}, func(o *Options) { o.Model = "--config=x" }, "begins with -"},
		{"a model of two lines", kind{MSSwift, 1}, func(o *Options) { o.Model = "a\nb" }, "cannot be written"},
		{"a path that is no text", kind{MSSwift, 1}, func(o *Options) { o.Out = "a\xff" }, "cannot be written"},
		{"rows with a number", kind{MSSwift, 1}, func(o *Options) { o.Rows = "rows#100.jsonl" }, "number of rows"},
		{"an endless clip", kind{MSSwift, 2}, func(o *Options) { o.Longest = -1 }, "--longest"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t, c.kind)
			if c.edit != nil {
				c.edit(&o)
			}
			_, err := Write(t.Context(), o)
			if omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("error %v, want %q", err, c.says)
			}
			if ondisk.Exists(filepath.Join(o.Out, recipeFile)) {
				t.Error("a recipe was written all the same")
			}
		})
	}
}

func TestOwnValues(t *testing.T) {
	for _, k := range possible {
		o := options(t, k)
		o.Set = map[string]string{"learning_rate": "1e-5", "epochs": "1", "batch_per_gpu": "1"}
		if k.stage == 2 {
			o.Set["max_frames"] = "240"
			o.Longest = 80
		}
		r := written(t, o)
		if r.value("learning_rate") != "1.0e-05" || r.Settings[slices.IndexFunc(r.Settings, func(v settingValue) bool { return v.Name == "learning_rate" })].Source != Yours {
			t.Errorf("%s: %+v", k, r.Settings)
		}
		if findings, err := Check(t.Context(), o.Out, 0); err != nil || len(findings) > 0 {
			t.Errorf("%s: %v, %v", k, findings, err)
		}
	}
}

func TestSameBytes(t *testing.T) {
	for _, k := range possible {
		o := options(t, k)
		first := written(t, o)
		files := make(map[string]string)
		for _, name := range append(namesOf(first.Files), recipeFile) {
			files[name] = read(t, o.Out, name)
		}
		written(t, o) // the same is no other recipe
		for name, text := range files {
			if read(t, o.Out, name) != text {
				t.Errorf("%s: %s differs the second time", k, name)
			}
			if i := slices.IndexFunc(first.Files, func(f file) bool { return f.Name == name }); i >= 0 && first.Files[i].SHA256 != sha256hex.Of([]byte(text)) {
				t.Errorf("%s: digest of %s", k, name)
			}
		}
	}
}

func TestEditedRecipesAreKept(t *testing.T) {
	o := options(t, kind{MSSwift, 1})
	written(t, o)
	script := filepath.Join(o.Out, scriptFile)
	fixture.OK(t, os.WriteFile(script, []byte(read(t, script)+"# mine\n"), 0o644))
	other := o
	other.Trainer = VeOmni
	for _, again := range []Options{o, other} {
		if _, err := Write(t.Context(), again); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "was edited") {
			t.Errorf("error %v", err)
		}
	}
	other.Force = true
	written(t, other)
	if ondisk.Exists(script) {
		t.Error("the script of the recipe before is still there")
	}
}

func TestChecked(t *testing.T) {
	o := options(t, kind{MSSwift, 1})
	rows := sha256hex.Of([]byte(read(t, o.Rows)))
	if r := written(t, o); r.Check != "" || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "--checked") {
		t.Errorf("without a check: %q, warnings %q", r.Check, r.Warnings)
	}
	o.Checked, o.Force = filepath.Join(t.TempDir(), "check.json"), true
	for _, c := range []struct{ text, says string }{
		{`{"schema":"omniscope.train-check/1","digest":"abc","passed":true,"rows":"` + rows + `"}`, ""},
		{`{"schema":"omniscope.train-check/1","digest":"abc","passed":false,"rows":"` + rows + `"}`, "did not pass"},
		{`{"schema":"omniscope.train-check/1","digest":"abc","passed":true,"rows":"` + strings.Repeat("0", 64) + `"}`, "is of other rows"},
		{`{"schema":"omniscope.train-check/1","passed":true,"rows":"` + rows + `"}`, "is not what"},
		{`{"schema":"other","digest":"abc","passed":true}`, "is not what"},
		{`nonsense`, "is not what"},
	} {
		fixture.OK(t, os.WriteFile(o.Checked, []byte(c.text), 0o644))
		r, err := Write(t.Context(), o)
		switch {
		case c.says == "" && (err != nil || r.Check != "abc" || len(r.Warnings) != 0):
			t.Errorf("%s: %+v, %v", c.text, r, err)
		case c.says != "" && (omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v", c.text, err)
		}
	}
	o.Checked = "nowhere.json"
	if _, err := Write(t.Context(), o); omniscope.KindOf(err) != omniscope.NotFound {
		t.Error(err)
	}
	o.Checked, o.Rows = "", "nowhere.jsonl"
	if _, err := Write(t.Context(), o); omniscope.KindOf(err) != omniscope.NotFound {
		t.Error(err)
	}
}

func TestLongClipsAreWarnedOf(t *testing.T) {
	o := options(t, kind{VeOmni, 2})
	o.Longest = 61
	r := written(t, o)
	if !strings.Contains(strings.Join(r.Warnings, "\n"), "the longest clip has 61 s, 122 frames at 2 per second, and at most 120 are taken") {
		t.Errorf("warnings %q", r.Warnings)
	}
}

// LLaMA-Factory joins the folder of dataset_info.json and the path of the rows.
func TestDatasetInfo(t *testing.T) {
	o := options(t, kind{LLaMAFactory, 2})
	t.Chdir(filepath.Dir(o.Rows))
	o.Rows, o.Out = "rows.jsonl", "deep/out"
	written(t, o)
	defer func() { // a recipe is checked from any folder
		t.Chdir("deep")
		if findings, err := Check(t.Context(), "out", 0); err != nil || len(findings) > 0 {
			t.Errorf("%v, %v", findings, err)
		}
	}()
	var info map[string]struct {
		File    string            `json:"file_name"`
		Columns map[string]string `json:"columns"`
	}
	fixture.OK(t, json.Unmarshal([]byte(read(t, o.Out, infoFile)), &info))
	there, err := os.ReadFile(filepath.Join(o.Out, info[dataset].File))
	if err != nil || !bytes.Equal(there, []byte("{}\n")) || info[dataset].Columns["audios"] != "audios" {
		t.Errorf("%+v, %v", info, err)
	}
	if values := settingsIn(t, kind{LLaMAFactory, 2}, o.Out); values["dataset_dir"] != "deep/out" || values["deepspeed"] != "deep/out/zero2.json" || values["media_dir"] != "." {
		t.Errorf("%q", values)
	}
}
