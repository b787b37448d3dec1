package recipe

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// edited writes a recipe, exchanges texts in one of its files, and returns the folder.
func edited(t *testing.T, k kind, file string, edits ...string) string {
	t.Helper()
	o := options(t, k)
	written(t, o)
	path := filepath.Join(o.Out, file)
	text := read(t, path)
	for i := 0; i+1 < len(edits); i += 2 {
		if !strings.Contains(text, edits[i]) {
			t.Fatalf("%s has no %q", path, edits[i])
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
	return o.Out
}

// A fault is planted by an edit of a recipe's file; the check must tell of that, and of nothing else.
type fault struct {
	kind  kind
	edits []string
	name  string // of the finding
	what  string // its kind
	says  string
}

func TestPlantedFaults(t *testing.T) {
	ms1, ms2, lf, ve1, ve2, am := possible[0], possible[1], possible[2], possible[3], possible[4], possible[5]
	for i, f := range []fault{
		// names
		{ms1, []string{"--learning_rate ", "--learning_rat "}, "--learning_rat", "name", "did you mean --learning_rate?"},
		{ms1, []string{"--strict true", "--strict true --fancy 1"}, "--fancy", "name", "not among the names known here"},
		{ms2, []string{"USE_AUDIO_IN_VIDEO", "USE_AUDIO_IN_VIDEOS"}, "USE_AUDIO_IN_VIDEOS", "name", "(issue 5784); did you mean USE_AUDIO_IN_VIDEO?"},
		{ms2, []string{"USE_AUDIO_IN_VIDEO", "use_audio_in_video"}, "use_audio_in_video", "name", "did you mean USE_AUDIO_IN_VIDEO?"},
		{ms2, []string{"USE_AUDIO_IN_VIDEO", "USE_AUDIO_IN_VEDIO"}, "USE_AUDIO_IN_VEDIO", "name", "did you mean USE_AUDIO_IN_VIDEO?"},
		{ms2, []string{"export USE_AUDIO_IN_VIDEO=true", "", "--strict true", "--strict true --use_audio_in_video true"}, "--use_audio_in_video", "name", "it is an environment variable: export USE_AUDIO_IN_VIDEO=true"},
		{ms2, []string{"FPS=2.0", "FPSS=2.0"}, "FPSS", "name", "did you mean FPS?"},
		{ms2, []string{"FPS_MAX_FRAMES", "MAX_FRAMES"}, "MAX_FRAMES", "name", "did you mean FPS_MAX_FRAMES?"},
		{ms2, []string{"FPS_MAX_FRAMES", "FPS_MAXFRAMES"}, "FPS_MAXFRAMES", "name", "did you mean FPS_MAX_FRAMES?"},
		{ms2, []string{"VIDEO_MAX_PIXELS", "VIDEO_MAX_PIXEL"}, "VIDEO_MAX_PIXEL", "name", "did you mean VIDEO_MAX_PIXELS?"},
		{ms2, []string{"ENABLE_AUDIO_OUTPUT", "ENABLE_AUDIO_OUPUT"}, "ENABLE_AUDIO_OUPUT", "name", "did you mean ENABLE_AUDIO_OUTPUT?"},
		{ms1, []string{"export NPROC", "export LEARNING_RATES=1\nexport NPROC", "--learning_rate", "--learning_rates"}, "LEARNING_RATES", "name", "it is an argument: --learning_rate"},
		{ms1, []string{"export NPROC", "export MY_OWN=1\nexport NPROC"}, "MY_OWN", "name", "not among the names"},
		{lf, []string{"video_maxlen", "video_max_len"}, "video_max_len", "name", "did you mean video_maxlen?"},
		{lf, []string{"seed: 42", "seed: 42\nUSE_AUDIO_IN_VIDEO: true"}, "USE_AUDIO_IN_VIDEO", "name", "did you mean use_audio_in_video?"},
		{ve2, []string{"mm_configs:", "mm_config:"}, "data.mm_config.fps", "name", "did you mean data.mm_configs.fps?"},
		{ve2, []string{"  num_train_epochs: 2", "  num_train_epochs: 2\n  lr: 5.0e-6"}, "train.lr", "name", "did you mean train.optimizer.lr?"},
		{am, []string{"freeze_audio_tower", "freeze_audio_towr"}, "freeze_config.freeze_audio_towr", "name", "did you mean freeze_config.freeze_audio_tower?"},

		{ms1, []string{"--tuner_type", "--train_type"}, "--train_type", "name", "did you mean --tuner_type?"},

		// batch
		{ms1, []string{"NPROC_PER_NODE=8", "NPROC_PER_NODE=4"}, "--gradient_accumulation_steps", "batch", "4 GPUs × 2 rows × 4 steps are 32 rows per update; stage 1 has 64"},
		{ms1, []string{"export NPROC_PER_NODE=8", "NPROC_PER_NODE=8"}, "--gradient_accumulation_steps", "batch", "NPROC_PER_NODE is not exported"},
		{ms1, []string{"NPROC_PER_NODE=8", "NPROC_PER_NODE=auto"}, "NPROC_PER_NODE", "batch", "no number of GPUs"},
		{ms1, []string{"export NPROC", "export NNODES=2\nexport NPROC"}, "--gradient_accumulation_steps", "batch", "16 GPUs × 2 rows × 4 steps are 128"},
		{ms2, []string{"--gradient_accumulation_steps 2", "--gradient_accumulation_steps 4"}, "--gradient_accumulation_steps", "batch", "are 32 rows per update; stage 2 has 16"},
		{ms2, []string{"  --gradient_accumulation_steps 2 ", " "}, "--gradient_accumulation_steps", "batch", "ms-swift chooses one"},
		{ms2, []string{"--per_device_train_batch_size 1", "--per_device_train_batch_size many"}, "--per_device_train_batch_size", "batch", "not given as a whole number"},
		{lf, []string{"per_device_train_batch_size: 1", "per_device_train_batch_size: 2"}, "gradient_accumulation_steps", "batch", "are 32 rows"},
		{ve1, []string{"global_batch_size: 64", "global_batch_size: 16"}, "train.global_batch_size", "batch", "must be 64 in stage 1"},
		{ve1, []string{"  global_batch_size: 64", "  #"}, "train.global_batch_size", "batch", "must be 64 in stage 1"},
		{ve2, []string{"micro_batch_size: 1", "micro_batch_size: 3"}, "train.micro_batch_size", "batch", "8 GPUs × 3 rows do not divide the batch of 16"},
		{am, []string{"global_batch_size: 64", "global_batch_size: 32"}, "step_scheduler.global_batch_size", "batch", "must be 64"},

		// freezing
		{ms1, []string{"  --trainable_parameters thinker.audio_tower", " "}, "--trainable_parameters", "freezing", "issue 9637"},
		{ms1, []string{"thinker.audio_tower", "thinker.audio"}, "--trainable_parameters", "freezing", "issue 9637"},
		{ms1, []string{"--freeze_vit true", "--freeze_vit false"}, "--freeze_vit", "freezing", "it is false; in stage 1 it must be true"},
		{ms1, []string{"--freeze_llm false", "--freeze_llm"}, "--freeze_llm", "freezing", "it is true; in stage 1 it must be false"},
		{ms1, []string{"--trainable_parameters thinker.audio_tower", "--trainable_parameters thinker.audio_tower thinker.visual"}, "--trainable_parameters", "freezing", "trains the visual encoder"},
		{ms1, []string{"--strict true", "--strict true --freeze_parameters_ratio 0.5"}, "--freeze_parameters_ratio", "freezing", "freezes more"},
		{ms2, []string{"--freeze_vit false", ""}, "--freeze_vit", "freezing", "must be false in stage 2"},
		{lf, []string{"freeze_vision_tower: false", "freeze_vision_tower: true"}, "freeze_vision_tower", "freezing", "must be false"},
		{ve1, []string{"freeze_audio_tower: false", "freeze_audio_tower: true"}, "train.freeze_audio_tower", "freezing", "must be false"},
		{ve1, []string{"freeze_vit: true", "freeze_vit: no"}, "train.freeze_vit", "freezing", "must be true"},
		{ve2, []string{"freeze_vit: false", "freeze_vit: true"}, "train.freeze_vit", "freezing", "must be false"},
		{am, []string{"freeze_vision_tower: true", "freeze_vision_tower: false"}, "freeze_config.freeze_vision_tower", "freezing", "must be true"},

		// sound
		{ms2, []string{"USE_AUDIO_IN_VIDEO=true", "USE_AUDIO_IN_VIDEO=false"}, "USE_AUDIO_IN_VIDEO", "sound", "without their sound"},
		{ms2, []string{"export USE_AUDIO_IN_VIDEO", "USE_AUDIO_IN_VIDEO"}, "USE_AUDIO_IN_VIDEO", "sound", "not exported, and off by default"},
		{ms2, []string{"export USE_AUDIO_IN_VIDEO=true", "#"}, "USE_AUDIO_IN_VIDEO", "sound", "issue 5202"},
		{lf, []string{"use_audio_in_video: true", "use_audio_in_video: off"}, "use_audio_in_video", "sound", "without their sound"},
		{ve2, []string{"    use_audio_in_video: true", "    #"}, "data.mm_configs.use_audio_in_video", "sound", "is missing, and off by default"},

		// tokens
		{ms1, []string{"--max_length 16384", "--max_length 2048"}, "--max_length", "tokens", "2048 tokens cut captions off"},
		{ms1, []string{"  --max_length 16384", " "}, "--max_length", "missing", "2048"},
		{lf, []string{"cutoff_len: 16384", "cutoff_len: 1024"}, "cutoff_len", "tokens", "cut captions off"},
		{lf, []string{"cutoff_len: 16384", "#"}, "cutoff_len", "missing", "LLaMA-Factory's default of 2048 cuts captions off (issue 5820)"},
		{ve2, []string{"max_seq_len: 16384", "max_seq_len: long"}, "data.max_seq_len", "tokens", "no whole number"},

		// values and defaults
		{ms1, []string{"  --weight_decay 0.0", " "}, "--weight_decay", "missing", "ms-swift's default is 0.1"},
		{ms1, []string{"--learning_rate 5.0e-6", "--learning_rate 1e-5"}, "--learning_rate", "value", "it is 1e-5; the paper has 5.0e-6"},
		{ms1, []string{"--tuner_type full", "--tuner_type lora"}, "--tuner_type", "value", "the paper has full"},
		{ms1, []string{"--lr_scheduler_type linear", ""}, "--lr_scheduler_type", "missing", "the recipe has linear"},
		{ms1, []string{"--strict true", ""}, "--strict", "missing", "issue 10162"},
		{ms1, []string{"--strict true", "--strict true --optim sgd"}, "--optim", "value", "the paper has AdamW"},
		{ms1, []string{"--num_train_epochs 2", "--num_train_epochs 3 --num_train_epochs 2"}, "--num_train_epochs", "value", "given twice"},
		{ve1, []string{"  vit_lr: 5.0e-6", "  #"}, "train.vit_lr", "missing", "without it VeOmni trains the encoders at 1e-6"},
		{ve1, []string{"vit_lr: 5.0e-6", "vit_lr: 1.0e-6"}, "train.vit_lr", "value", "the paper has 5.0e-6"},
		{ve1, []string{"lr_decay_style: \"linear\"", "lr_decay_style: cosine"}, "train.optimizer.lr_decay_style", "value", "it is cosine; the paper has linear"},
		{lf, []string{"template: \"qwen2_omni\"", "#"}, "template", "missing", "other tokens"},
		{am, []string{"user_prompt: null", "user_prompt: Transcribe."}, "dataset.user_prompt", "value", "it is Transcribe.; the paper has null"},

		// rows
		{ms1, []string{"rows.jsonl", "others.jsonl"}, "--dataset", "rows", "others.jsonl; those of the recipe"},
		{lf, []string{`"omni_av"`, "others"}, "dataset", "rows", "the rows are others"},
		{ve1, []string{"rows.jsonl", "others.jsonl"}, "data.train_path", "rows", "others.jsonl; those of the recipe"},
		{am, []string{"rows.jsonl", "others.jsonl"}, "dataset.path_or_dataset", "rows", "others.jsonl; those of the recipe"},

		// packing and sharding
		{ms1, []string{"--strict true", "--strict true --packing true"}, "--packing", "packing", "leave it off"},
		{ms1, []string{"--strict true", "--strict true --packing"}, "--packing", "packing", "leave it off"},
		{lf, []string{"seed: 42", "seed: 42\npacking: true"}, "packing", "packing", "leave it off"},
		{lf, []string{"seed: 42", "seed: 42\nneat_packing: true"}, "neat_packing", "packing", "leave it off"},
		{ve1, []string{"dyn_bsz: false", "dyn_bsz: true"}, "train.dyn_bsz", "packing", "leave it off"},
		{am, []string{"step_scheduler:", "packed_sequence:\n  packed_sequence_size: 4096\nstep_scheduler:"}, "packed_sequence.packed_sequence_size", "packing", "leave it off"},
		{ms1, []string{"--deepspeed zero2", "--deepspeed zero3"}, "--deepspeed", "sharding", "ZeRO-3 hangs"},
		{ms2, []string{"--deepspeed zero2", "--deepspeed zero3_offload"}, "--deepspeed", "sharding", "use zero2"},
		{ms2, []string{"  --deepspeed zero2", " "}, "--deepspeed", "missing", "each GPU holds everything"},
		{lf, []string{"/zero2.json", "/ds_z3_config.json"}, "deepspeed", "sharding", "ZeRO-3 hangs"},
		{ve2, []string{`fsdp_mode: "fsdp2"`, "fsdp_mode: ddp"}, "train.accelerator.fsdp_config.fsdp_mode", "sharding", "the recipe has fsdp2"},
	} {
		file := yamlFile
		if f.kind.trainer == MSSwift {
			file = scriptFile
		}
		t.Run(fmt.Sprintf("%d, %s, %s, %s", i, f.kind, f.what, f.name), func(t *testing.T) {
			findings, err := Check(t.Context(), edited(t, f.kind, file, f.edits...), 0)
			fixture.OK(t, err)
			hit := false
			for _, got := range findings {
				if got.Name == f.name && got.Kind == f.what {
					hit = true
					if !strings.Contains(got.Text, f.says) || (got.Level == unknown) != strings.Contains(got.Text, "not among the names") || got.File != file {
						t.Errorf("%+v, want %q", got, f.says)
					}
				} else if f.what != "name" { // a misspelt name is a missing one, too
					t.Errorf("told of besides: %s: %s", got.Kind, got)
				}
			}
			if !hit {
				t.Errorf("not found; told of: %v", findings)
			}
		})
	}
}

// A configuration of DeepSpeed is read, whatever it is called.
func TestZero3InAFile(t *testing.T) {
	dir := edited(t, possible[2], zeroFile, `"stage": 2`, `"stage": 3`)
	findings, err := Check(t.Context(), dir, 0)
	if err != nil || len(findings) != 1 || findings[0].Kind != "sharding" || findings[0].Line == 0 {
		t.Errorf("%v, %v", findings, err)
	}
}

func TestLongestClip(t *testing.T) {
	for _, k := range []kind{possible[1], possible[2], possible[4]} {
		o := options(t, k)
		written(t, o)
		for longest, want := range map[float64]string{60: "", 90: "frames", 100: "frames"} {
			findings, err := Check(t.Context(), o.Out, longest)
			if err != nil || want == "" && len(findings) > 0 || want != "" && (len(findings) != 1 || findings[0].Kind != want) {
				t.Errorf("%s, %g s: %v, %v", k, longest, findings, err)
			}
		}
	}
	o := options(t, possible[0])
	written(t, o)
	findings, err := Check(t.Context(), o.Out, 700)
	if err != nil || len(findings) != 1 || findings[0].Kind != "tokens" || !strings.Contains(findings[0].Text, "about 19000 tokens") {
		t.Errorf("%v, %v", findings, err)
	}
}

// Edits that change nothing of the training are nothing to tell.
func TestHarmlessEdits(t *testing.T) {
	ms := []string{
		"args=(\n", "MODEL=x\nexport CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 NCCL_DEBUG=INFO MODEL\nargs=(\n",
		"--strict true", "--strict True --logging_steps 1 --save_total_limit 3 --dataloader_num_workers 8 --gradient_checkpointing true",
		"--learning_rate 5.0e-6", `--learning_rate "0.000005"`,
		"--seed 42", "--seed=7",
		"exec swift sft \"${args[@]}\"", "swift sft \\\n  \"${args[@]}\" 2>&1 | tee log.txt",
	}
	for _, c := range []struct {
		kind  kind
		file  string
		edits []string
	}{
		{possible[0], scriptFile, ms},
		{possible[1], scriptFile, append([]string{"USE_AUDIO_IN_VIDEO=true", "USE_AUDIO_IN_VIDEO=1", "FPS_MAX_FRAMES=120", "FPS_MAX_FRAMES='240'"}, ms...)},
		{possible[2], yamlFile, []string{"learning_rate: 5.0e-6", "learning_rate: 0.000005", "seed: 42", "seed: 1\nlogging_steps: 5\nflash_attn: fa2", "lr_scheduler_type: \"linear\"", "lr_scheduler_type: linear"}},
		{possible[4], yamlFile, []string{"train:\n", "train:\n  max_steps: 10\n", "seed: 42", "seed: 7"}},
	} {
		findings, err := Check(t.Context(), edited(t, c.kind, c.file, c.edits...), 0)
		if err != nil || len(findings) > 0 {
			t.Errorf("%s: %v, %v", c.kind, findings, err)
		}
	}
}

func TestFoldersThatCannotBeChecked(t *testing.T) {
	for _, c := range []struct {
		name string
		dir  func() string
		kind omniscope.Kind
		says string
	}{
		{"no recipe", func() string { return t.TempDir() }, omniscope.NotFound, "no folder of a recipe"},
		{"a recipe of another version", func() string { return edited(t, possible[0], recipeFile, schema, "omniscope.train-recipe/9") }, omniscope.Invalid, "make it again"},
		{"an edited recipe.json", func() string { return edited(t, possible[0], recipeFile, `"gpus": 8`, `"gpus": 0`) }, omniscope.Invalid, "was edited"},
		{"a stage that cannot be", func() string { return edited(t, possible[2], recipeFile, `"stage": 2`, `"stage": 1`) }, omniscope.Invalid, "was edited"},
		{"no script", func() string { return edited(t, possible[0], recipeFile, `"ms-swift"`, `"veomni"`) }, omniscope.NotFound, yamlFile},
		{"a script with a command in it", func() string {
			return edited(t, possible[0], scriptFile, "--model Qwen/Qwen2.5-Omni-7B", "--model $(ls -t | head -1)")
		}, omniscope.Invalid, `train.sh:11: "$(ls -t | head -1)`},
		{"broken YAML", func() string { return edited(t, possible[3], yamlFile, "data:", "data: {") }, omniscope.Invalid, yamlFile},
		{"YAML with anchors", func() string { return edited(t, possible[3], yamlFile, "seed: 42", "seed: &s 42") }, omniscope.Invalid, "train.yaml:30:"},
	} {
		_, err := Check(t.Context(), c.dir(), 0)
		if omniscope.KindOf(err) != c.kind || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

func TestOtherRowsInDatasetInfo(t *testing.T) {
	findings, err := Check(t.Context(), edited(t, possible[2], infoFile, "rows.jsonl", "others.jsonl"), 0)
	if err != nil || len(findings) != 1 || findings[0].Kind != "rows" || findings[0].Name != "dataset" {
		t.Errorf("%v, %v", findings, err)
	}
}

func TestChangedRows(t *testing.T) {
	o := options(t, possible[0])
	written(t, o)
	fixture.OK(t, os.WriteFile(o.Rows, []byte("{}\n{}\n"), 0o644))
	findings, err := Check(t.Context(), o.Out, 0)
	if err != nil || len(findings) != 1 || findings[0].Kind != "rows" {
		t.Errorf("%v, %v", findings, err)
	}
}

func ExampleFinding_String() {
	fmt.Println(Finding{Wrong, "sound", "train.sh", 9, "USE_AUDIO_IN_VIDEO", "it is false: videos would be trained without their sound"})
	// Output: train.sh:9: USE_AUDIO_IN_VIDEO: it is false: videos would be trained without their sound
}
