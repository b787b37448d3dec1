package main

import (
	"testing"
)

const trainRecipeFiles = `
-- rows.jsonl --
{}
-- check.json --
{"schema":"omniscope.train-check/1","digest":"abc","passed":true,"rows":"ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"}
-- failed.json --
{"schema":"omniscope.train-check/1","digest":"abc","passed":false,"rows":"ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"}
`

// A recipe has the paper's values.
func TestTrainRecipe(t *testing.T) {
	d := newDesk(t, trainRecipeFiles)
	d.run(0, "train recipe ms-swift --stage 1 --model Qwen/Qwen2.5-Omni-7B --rows rows.jsonl --out stage1")
	d.prints(`^ms-swift, stage 1: 11 settings from the paper, 9 ours, 0 yours$`, `^2 files in stage1$`)
	d.says(`warning: the rows are not known to be checked`)
	d.holds(`stage1/train.sh`, `^  --learning_rate 5.0e-6  # paper: `)
	d.holds(`stage1/train.sh`, `^  --trainable_parameters thinker.audio_tower  # paper: `)
	d.holds(`stage1/train.sh`, `^  --weight_decay 0.0  # ours: `)
	d.holds(`stage1/recipe.json`, `"sha256": "[0-9a-f]{64}"`)

	// The batch is the same on other machines; a value of the user's own is marked.
	d.run(0, "train recipe veomni --stage 2 --model stage1 --rows rows.jsonl --gpus 4 --set max_frames=240 --longest 100 --checked check.json --out stage2")
	d.saysNothing()
	d.holds(`stage2/train.yaml`, `max_frames: 240  # yours: `)
	d.holds(`stage2/train.yaml`, `global_batch_size: 16  # paper: `)
	d.holds(`stage2/recipe.json`, `"check": "abc"`)
	d.run(0, "train recipe llama-factory --stage 2 --model stage1 --rows rows.jsonl --longest 90 --out lf")
	d.says(`warning: the longest clip has 90 s, 180 frames at 2 per second, and at most 120 are taken`)
	d.holds(`lf/dataset_info.json`, `"file_name": "../rows.jsonl"`)
	d.run(0, "train recipe automodel --stage 1 --model m --rows rows.jsonl --out am")
	d.run(0, "train recipe --settings")
	d.prints(`learning_rate +5.0e-6 +5.0e-6 +paper +yes`)

	// A stage that a trainer cannot do is refused, with what to do instead.
	d.refuse(2, "train recipe llama-factory --stage 1 --model m --rows rows.jsonl --out x", `llama-factory cannot do stage 1: .* use ms-swift, veomni or automodel`)
	d.refuse(2, "train recipe automodel --stage 2 --model m --rows rows.jsonl --out x", `automodel cannot do stage 2: .* use ms-swift, llama-factory or veomni`)
	d.refuse(2, "train recipe ms-swift --stage 1 --model m --rows rows.jsonl --out x --gpus 3", `cannot be divided among 3 GPUs .* do: 1, 2, 4, 8, 16, 32`)
	d.refuse(2, "train recipe ms-swift --stage 1 --model m --rows rows.jsonl --out x --set learning_rte=1", `did you mean learning_rate\?`)
	d.refuse(2, "train recipe ms-swift --stage 1 --model m --rows rows.jsonl --out x --set learning_rate", `write NAME=VALUE`)
	d.refuse(2, "train recipe ms-swift --stage 1 --model m --rows rows.jsonl --out x --gpus 0", `at least 1`)
	d.refuse(2, "train recipe swift --stage 1 --model m --rows rows.jsonl --out x", `there is no trainer "swift"; did you mean ms-swift\?`)
	d.refuse(2, "train recipe", `name the trainer`)
	d.refuse(2, "train recipe ms-swift --model m --rows rows.jsonl --out x", `name the stage`)
	d.refuse(1, "train recipe ms-swift --stage 1 --model m --rows none.jsonl --out x", `none.jsonl`)
	d.refuse(1, "train recipe ms-swift --stage 1 --model m --rows rows.jsonl --checked failed.json --out x", `the check did not pass`)
	d.gone(`x`)
	d.refuse(2, "train recipe ms-swift --stage 1 --model other --rows rows.jsonl --out stage1", `stage1/recipe.json is there already and is another one, or was edited: .*--force`)
	d.run(0, "train recipe ms-swift --stage 1 --model other --rows rows.jsonl --out stage1 --force")
	d.holds(`stage1/train.sh`, `^  --model other  # yours`)
}

const trainVerifyFiles = `
-- cut.safetensors --
not tensors
`

// After stage 1 the visual encoder is unchanged, and sound encoder and language model have changed.
func TestTrainVerify(t *testing.T) {
	d := newDesk(t, trainVerifyFiles)
	makeThinker(d, "base")
	makeThinker(d, "stage1", "audio_tower", "model", "lm_head")
	d.run(0, "train verify base stage1 --stage 1")
	d.prints(`stage1 against base, stage 1`, `visual .* 2 .* 2 .* 0 .* 0.00% `, `audio_tower .* 2 .* 0 .* 2 .* 100.00% .* 0.00781 `, `^passed: the checkpoint is what stage 1 makes$`)
	makeThinker(d, "stage2", "visual", "audio_tower", "model", "lm_head")
	d.run(0, "train verify base/model.safetensors stage2 --stage 2 --quiet")

	// ms-swift's default freezing leaves the sound encoder as it was.
	makeThinker(d, "frozen", "model", "lm_head")
	d.run(1, "train verify base frozen --stage 1")
	d.prints(`failed: audio_tower is unchanged; stage 1 trains it: ms-swift's --freeze_vit freezes the sound encoder too \(issue 9637\); set --trainable_parameters thinker.audio_tower`)
	d.says(`the checkpoint is not what stage 1 makes`)
	d.run(1, "train verify base frozen --stage 1 --json")
	d.prints(`"schema": "omniscope.train-verify/1"`, `"passed": false`)
	d.run(1, "train verify stage1 stage2 --stage 1")
	d.prints(`failed: visual changed in 2 tensors`, `failed: audio_tower is unchanged`)
	d.run(1, "train verify base base --stage 2")
	d.prints(`failed: all tensors are those of the base model, bit for bit`)

	// Files that cannot be compared.
	d.copy(`cut.safetensors`, `other/model.safetensors`)
	d.refuse(1, "train verify base other --stage 1", `other/model.safetensors`)
	d.refuse(1, "train verify base nowhere --stage 1", `nowhere`)
	d.refuse(2, "train verify base stage1", `name the stage with --stage: 1 \(sound alone`)
	d.refuse(2, "train verify base", `takes BASE CHECKPOINT, got 1 argument;`)
}
