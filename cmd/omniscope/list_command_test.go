package main

import (
	"omniscope/internal/testing/need"
	"testing"
)

const dataFiles = `
-- asked.xml --
<?xml version='1.0' encoding='utf-8'?>
<testset name="MCIF1.0">
  <task track="long" text_lang="de">
    <sample id="6">
      <audio_path>a.wav</audio_path>
      <video_path>a.mp4</video_path>
      <text_path>a.en</text_path>
      <instruction>Fasse den Inhalt zusammen</instruction>
    </sample>
  </task>
</testset>
-- reference.xml --
<?xml version='1.0' encoding='utf-8'?>
<testset name="MCIF1.0">
  <task track="long" text_lang="de">
    <sample id="6" iid="SUM_1" task="SUM">
      <audio_path>a.wav</audio_path>
      <reference>Ein Vortrag</reference>
    </sample>
  </task>
</testset>
-- annotations.jsonl --
{"video_path": "videos/v.mp4", "duration": 61.5, "events": {"bg_desc": ["rain"]}}
{"video_path": "videos/v.mp4", "duration": 61.5, "events": {"bg_desc": ["rain"]}}
{"video_id": "w", "events": {"bg_desc": ["fog"]}}
-- want.jsonl --
{"id":"v","media":{"video":"videos/v.mp4"},"seconds":61.5}
{"id":"w","media":{"video":"w.mp4"}}
-- differ.jsonl --
{"video_id": "v", "duration": 10, "events": {"bg_desc": ["rain"]}}
{"video_id": "v", "duration": 20, "events": {"bg_desc": ["rain"]}}
`

// The samples of a benchmark are what it gives a model and asks, before any system has answered.
func TestDataCommand(t *testing.T) {
	d := newDesk(t, dataFiles)
	d.run(0, "data samples omni-cloze clips.jsonl --json --limit 1")
	d.prints(`^{"id":"0001","media":{"video":"v/1.mp4"},"category":"Life","subcategory":"Street"}$`)
	d.lacks(`answer|0002`)

	d.run(0, "data samples mcif asked.xml")
	d.prints(`6 +│? *LONG_VIDEOS/a.mp4 +│? *long de +│? *Fasse den Inhalt zusammen`, `LONG_TEXTS/a.en`)

	d.run(0, "data samples capricorn annotations.jsonl --json")
	d.printsFile(`want.jsonl`)

	// Benchmarks, networks and packs are in one list, with their place if they are not on the hub.
	d.run(0, "data list")
	d.prints(`omni-cloze +│ benchmark `, `comet/wmt22-comet-da +│ network +│ Apache-2.0 `, `speech +│ pack `)
	d.run(0, "data list omni-cloze mmau")
	d.prints(`^  from https://huggingface.co/datasets/BoJack/Omni-Cloze at main`, `^  licence: not stated`, `^  from https://github.com/Sakshi113/MMAU`, `not here: copy mmau-test\*.json from https://github.com/Sakshi113/MMAU, and give it with --data`, `published judge: openai/gpt-4o-2024-11-20`)
	d.refuse(1, "data get mmau", `annotations of mmau: copy mmau-test\*.json from https://github.com/Sakshi113/MMAU, and give it with --data`)
	d.run(0, "data get bert_score/de --dry-run")
	d.prints(`^bert_score/de/model.safetensors$`)
	d.refuse(2, "data get bert_score/de --part media", `--part is for benchmarks`)
	d.refuse(2, "data get bert_score/d", `did you mean bert_score/de`)
	d.run(0, "data stats omni-cloze clips.jsonl")
	d.prints(`the file +│ [0-9]+ +│`)

	// Rows of one id that differ cannot both be asked about.
	d.refuse(1, "data samples capricorn differ.jsonl", `differ.jsonl:2: sample v is there already, and differs, on line 1`)

	// A file of references has no questions.
	d.refuse(1, "data samples mcif reference.xml", `reference.xml:4: sample "6" has no instruction`)

	d.refuse(1, "data samples capricorn absent.jsonl", `absent.jsonl: no such file`)
	d.refuse(2, "data samples omnicloze clips.jsonl", `did you mean omni-cloze`)
	d.refuse(2, "data", `name the data command first: get, import, list, remove, samples, stats, verify`)
}

// The program lists its benchmarks, metrics, models, prices and tools.
func TestDocsCommand(t *testing.T) {
	need.Processes(t)
	d := newDesk(t, "")
	d.run(0, "docs benchmarks")
	d.prints(`omni-cloze .*`, `openai/gpt-4o-2024-11-20`)
	d.run(0, "docs metrics")
	d.prints(`cloze .* accuracy`)
	d.run(0, "docs models")
	d.prints(`openai/NAME .*OpenAI`, `https://api.openai.com/v1 `, `OPENAI_API_KEY`, `offline `)
	d.lacks(`benchmarks`)
	d.run(0, "docs prices --json")
	d.prints(`"name": "prices"`)
	d.run(0, "docs --json")
	d.prints(`"name": "tools"`)
	d.run(0, "docs profile")
	d.prints(`qwen3-omni +│`)
	d.run(0, "docs profile qwen3-omni")
	d.prints(`^# qwen3-omni: `, `^# asked by audio-visual`, `^name: qwen3-omni`)
	d.refuse(2, "docs profile qwen3-onmi", `no profile "qwen3-onmi"; did you mean qwen3-omni`)
	d.refuse(2, "docs models openai", `docs models takes no argument`)

	// The reference of commands and flags is made from the program itself.
	d.run(0, "docs")
	d.prints(`^# Commands`, `^## omniscope eval omni-cloze`, `^## omniscope journal replay`, "\\| `-j, --concurrency` \\| `64` \\| most calls at a time")
	d.lacks(`retry-wait`)
}
