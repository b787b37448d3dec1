package recipe

import "omniscope/train"

// A Source says where a value comes from.
type Source string

// The sources.
const (
	Paper Source = "paper" // stated in arXiv 2510.12720, section 4.1, A.1 or A.2
	Ours  Source = "ours"  // not stated there
	Yours Source = "yours" // given by the user
)

// A valueKind is how a value is written.
type valueKind int

// The kinds.
const (
	wordKind   valueKind = iota // text; quoted in YAML
	numberKind                  // such as 5.0e-6: YAML 1.1 takes 5e-6 for text
	whole
	truthKind // true or false
	null      // YAML's null
)

// A setting is one value of the training in both stages, and what each trainer calls it.
type setting struct {
	Name   string
	Means  string    // with the unit
	Values [2]string // for stage 1 and stage 2; "" = the stage has none
	Kind   valueKind
	Source Source
	Fixed  string // why --set cannot change it; "" = it can
	Args   []arg
}

// An arg is what a trainer calls a setting. Names of ms-swift are arguments if they begin with --, else environment variables;
// those of the others are paths in YAML.
type arg struct {
	Trainer Trainer
	Name    string
	Values  [2]string // for the stages, where the trainer has another word for the value; "-" = it is not given; "" = the setting's
	Kind    valueKind // of such a word
}

// Value is the value in a stage.
func (s *setting) Value(stage train.Stage) string { return s.Values[stage-1] }

// Settings is the one table of what the published training needs; docs/train-recipe.md shows it.
func Settings() []setting {
	return []setting{
		{"task", "learning from examples", both("sft"), wordKind, Paper, "the paper has no other", []arg{as(LLaMAFactory, "stage"), is(LLaMAFactory, "do_train", truthKind, "true")}},
		{"tuning", "which weights of the trained parts are trained", both("full"), wordKind, Paper, "the paper trains all weights",
			[]arg{as(MSSwift, "--tuner_type"), as(LLaMAFactory, "finetuning_type")}},
		{"frozen", "parts that are not trained", [2]string{"visual", "none"}, wordKind, Paper, "it is what the stage is", []arg{
			is(MSSwift, "--freeze_llm", truthKind, "false"), per(MSSwift, "--freeze_vit", truthKind, "true", "false"), per(MSSwift, "--freeze_aligner", truthKind, "true", "false"),
			per(MSSwift, "--trainable_parameters", wordKind, "thinker.audio_tower", "-"),
			is(LLaMAFactory, "freeze_vision_tower", truthKind, "false"), is(LLaMAFactory, "freeze_multi_modal_projector", truthKind, "false"), is(LLaMAFactory, "freeze_language_model", truthKind, "false"),
			per(VeOmni, "train.freeze_vit", truthKind, "true", "false"), is(VeOmni, "train.freeze_audio_tower", truthKind, "false"),
			is(Automodel, "freeze_config.freeze_vision_tower", truthKind, "true"), is(Automodel, "freeze_config.freeze_audio_tower", truthKind, "false"),
			is(Automodel, "freeze_config.freeze_language_model", truthKind, "false"), is(Automodel, "freeze_config.freeze_embeddings", truthKind, "false")}},
		{"optimizer", "AdamW is the default of all but automodel", both("adamw"), wordKind, Paper, "the paper's, and the trainers' default", []arg{is(Automodel, "optimizer._target_", wordKind, "torch.optim.AdamW")}},
		{"learning_rate", "peak rate", both("5.0e-6"), numberKind, Paper, "",
			[]arg{as(MSSwift, "--learning_rate"), as(LLaMAFactory, "learning_rate"), as(VeOmni, "train.optimizer.lr"), as(VeOmni, "train.vit_lr"), as(Automodel, "optimizer.lr")}},
		{"schedule", "how the rate falls", both("linear"), wordKind, Paper, "",
			[]arg{as(MSSwift, "--lr_scheduler_type"), as(LLaMAFactory, "lr_scheduler_type"), as(VeOmni, "train.optimizer.lr_decay_style"), as(Automodel, "lr_scheduler.lr_decay_style")}},
		{"warmup", "share of updates in which the rate rises", both("0.0"), numberKind, Ours, "",
			[]arg{as(MSSwift, "--warmup_ratio"), as(LLaMAFactory, "warmup_ratio"), as(VeOmni, "train.optimizer.lr_warmup_ratio"), is(Automodel, "lr_scheduler.lr_warmup_steps", whole, "0")}},
		{"weight_decay", "of AdamW", both("0.0"), numberKind, Ours, "",
			[]arg{as(MSSwift, "--weight_decay"), as(LLaMAFactory, "weight_decay"), as(VeOmni, "train.optimizer.weight_decay"), as(Automodel, "optimizer.weight_decay")}},
		{"batch", "rows per update, over all GPUs", [2]string{"64", "16"}, whole, Paper, "other numbers of GPUs keep it, and another one is another training",
			[]arg{as(VeOmni, "train.global_batch_size"), as(Automodel, "step_scheduler.global_batch_size")}},
		{"batch_per_gpu", "rows at a time on one GPU", [2]string{"2", "1"}, whole, Paper, "",
			[]arg{as(MSSwift, "--per_device_train_batch_size"), as(LLaMAFactory, "per_device_train_batch_size"), as(VeOmni, "train.micro_batch_size"), as(Automodel, "step_scheduler.local_batch_size")}},
		{"accumulation", "steps per update", [2]string{"4", "2"}, whole, Paper, "it follows from batch, batch_per_gpu, --gpus and --machines",
			[]arg{as(MSSwift, "--gradient_accumulation_steps"), as(LLaMAFactory, "gradient_accumulation_steps")}},
		{"dynamic_batches", "rows of any number in a batch, up to so many tokens", both("false"), truthKind, Ours, "the batch would not be counted in rows", []arg{as(VeOmni, "train.dyn_bsz")}},
		{"epochs", "times that all rows are seen", both("2"), whole, Paper, "",
			[]arg{as(MSSwift, "--num_train_epochs"), as(LLaMAFactory, "num_train_epochs"), as(VeOmni, "train.num_train_epochs"), as(Automodel, "step_scheduler.num_epochs")}},
		{"max_tokens", "tokens of a row, media and caption", both("16384"), whole, Ours, "",
			[]arg{as(MSSwift, "--max_length"), as(LLaMAFactory, "cutoff_len"), as(VeOmni, "data.max_seq_len")}},
		{"strict", "a bad row ends the training, instead of being replaced by another", both("true"), truthKind, Ours, "", []arg{as(MSSwift, "--strict")}},
		{"fps", "frames per second of video", [2]string{"", "2.0"}, numberKind, Ours, "", []arg{as(MSSwift, "FPS"), as(LLaMAFactory, "video_fps"), as(VeOmni, "data.mm_configs.fps")}},
		{"max_frames", "frames of a video: 60 s at 2 per second", [2]string{"", "120"}, whole, Ours, "",
			[]arg{as(MSSwift, "FPS_MAX_FRAMES"), as(LLaMAFactory, "video_maxlen"), as(VeOmni, "data.mm_configs.max_frames")}},
		{"video_pixels", "pixels of a frame", [2]string{"", "100352"}, whole, Ours, "",
			[]arg{as(MSSwift, "VIDEO_MAX_PIXELS"), as(LLaMAFactory, "video_max_pixels"), as(VeOmni, "data.mm_configs.video_max_pixels")}},
		{"sound_in_video", "videos are heard, too; off by default everywhere", [2]string{"", "true"}, truthKind, Paper, "stage 2 is audio-visual",
			[]arg{as(MSSwift, "USE_AUDIO_IN_VIDEO"), as(LLaMAFactory, "use_audio_in_video"), as(VeOmni, "data.mm_configs.use_audio_in_video")}},
		{"precision", "of weights in computing", both("bf16"), wordKind, Ours, "the trainers have different words for others: edit the file",
			[]arg{is(MSSwift, "--torch_dtype", wordKind, "bfloat16"), is(LLaMAFactory, "bf16", truthKind, "true")}},
		{"sharding", "optimiser and gradients are divided among GPUs; ZeRO-3 hangs (ms-swift issues 6300, 7356)", both("zero2"), wordKind, Ours, "the trainers have different words for others: edit the file",
			[]arg{as(MSSwift, "--deepspeed"), as(LLaMAFactory, "deepspeed"), is(VeOmni, "train.accelerator.fsdp_config.fsdp_mode", wordKind, "fsdp2"), is(Automodel, "distributed.strategy", wordKind, "fsdp2")}},
		{"speech_output", "0 = the talker is not loaded", both("0"), whole, Ours, "", []arg{as(MSSwift, "ENABLE_AUDIO_OUTPUT")}},
		{"save", "a checkpoint after each", both("epoch"), wordKind, Ours, "the trainers have different words for others: edit the file",
			[]arg{as(MSSwift, "--save_strategy"), as(LLaMAFactory, "save_strategy"), is(VeOmni, "train.checkpoint.save_epochs", whole, "1"),
				is(Automodel, "checkpoint.enabled", truthKind, "true"), is(Automodel, "checkpoint.model_save_format", wordKind, "safetensors"), is(Automodel, "checkpoint.save_consolidated", truthKind, "true")}},
		{"resume", "checkpoint to go on from; none unless set", both(""), wordKind, Ours, "",
			[]arg{as(MSSwift, "--resume_from_checkpoint"), as(LLaMAFactory, "resume_from_checkpoint"), as(VeOmni, "train.checkpoint.load_path")}},
		{"seed", "of the order of rows", both("42"), whole, Ours, "",
			[]arg{as(MSSwift, "--seed"), as(MSSwift, "--data_seed"), as(LLaMAFactory, "seed"), as(VeOmni, "train.seed"), as(Automodel, "rng.seed")}},
		{"form", "the parts of the trainer that read such rows", both("omniscope's export"), wordKind, Ours, "rows have the form that `omniscope train export` writes", []arg{
			is(VeOmni, "data.data_type", wordKind, "conversation"), is(VeOmni, "data.source_name", wordKind, "qwen_omni_offline_av"),
			is(Automodel, "recipe", wordKind, "FinetuneRecipeForVLM"), is(Automodel, "rng._target_", wordKind, "nemo_automodel.components.training.rng.StatefulRNG"),
			is(Automodel, "model._target_", wordKind, "nemo_automodel.NeMoAutoModelForMultimodalLM.from_pretrained"),
			is(Automodel, "loss_fn._target_", wordKind, "nemo_automodel.components.loss.masked_ce.MaskedCrossEntropy"),
			is(Automodel, "dataset._target_", wordKind, "nemo_automodel.components.datasets.audio.datasets.make_hf_audio_asr_dataset"),
			is(Automodel, "dataset.audio_column", wordKind, "audio"), is(Automodel, "dataset.text_column", wordKind, "text"),
			is(Automodel, "dataloader._target_", wordKind, "torchdata.stateful_dataloader.StatefulDataLoader"),
			is(Automodel, "dataloader.collate_fn", wordKind, "nemo_automodel.components.datasets.audio.collate_fns.qwen2_5_omni_asr_collate_fn")}},
		{"prompt", "words of the user beside the media", both("none"), wordKind, Paper, "the paper has none", []arg{is(Automodel, "dataset.user_prompt", null, "null")}},
		{"template", "how a row becomes tokens; qwen3_omni for Qwen3-Omni", both("qwen2_omni"), wordKind, Ours, "", []arg{as(LLaMAFactory, "template")}},
	}
}

func both(value string) [2]string { return [2]string{value, value} }

// as is an argument that takes the setting's value.
func as(t Trainer, name string) arg { return arg{Trainer: t, Name: name} }

// is is an argument that has a word of its own, in both stages.
func is(t Trainer, name string, k valueKind, value string) arg { return arg{t, name, both(value), k} }

// per is an argument that has words of its own for the stages.
func per(t Trainer, name string, k valueKind, stage1, stage2 string) arg {
	return arg{t, name, [2]string{stage1, stage2}, k}
}
