package main

import (
	"omniscope/internal/testing/need"
	"testing"
)

const nearbyFiles = `
-- folder/one.txt --
Hello.
-- folder/captions.jsonl --
{"uuid": "0001", "caption": "A dog barks."}
-- folder/replies.json --
{"0001": ["{\"1\": \"A: dog\", \"2\": \"B: red\"}"], "0002": ["{\"1\": \"C: tent\", \"2\": \"E: not given\"}"], "0003": ["{\"1\": \"C: cook\", \"2\": \"A: phone\"}"]}
`

// A misspelt name is quoted, with the name that was probably meant.
func TestMisspeltCommands(t *testing.T) {
	d := newDesk(t, "")
	d.refuse(2, "evl", `no command "evl"; did you mean eval\?`)
	d.refuse(2, "help evl", `no command "evl"; did you mean eval\?`)
	d.refuse(2, "help eval capricron", `no benchmark "capricron"; did you mean capricorn\?`)
	d.refuse(2, "journal shwo", `no journal command "shwo"; did you mean show\? There are: export, merge, prune, recover, replay, show, verify`)
	d.refuse(2, "score normalise", `no measure "normalise"; did you mean normalize\?`)
	d.refuse(2, "data gte comet/wmt22-comet-da", `no data command "gte"; did you mean get\?`)
	d.refuse(2, "score blue --hyp a --ref b", `no measure "blue"; did you mean bleu\?`)
	d.refuse(2, "score BERT-Score --hyp a --ref b", `no measure "BERT-Score"; did you mean bertscore\?`)
	d.refuse(2, "score --hyp a --ref b", `name the measure first: .*bleu, .*wer`)
	d.refuse(2, "docs modls", `no list "modls"; did you mean models\?`)
	d.refuse(2, "docs judges", `did you mean models\?`)
	d.run(0, "completion bash")
	d.prints(`bash completion`)
}

// A misspelt benchmark is quoted with any flags.
func TestMisspeltBenchmarks(t *testing.T) {
	d := newDesk(t, "")
	d.refuse(2, "eval omnicloze -p x", `no benchmark "omnicloze"; did you mean omni-cloze\? There are: .*omni-cloze`)
	d.saysNo(`shorthand`)
	d.refuse(2, "eval -p x OmniCloze", `no benchmark "OmniCloze"; did you mean omni-cloze\?`)
	d.refuse(2, "eval omni_cloze --predictions x", `did you mean omni-cloze\?`)
	d.refuse(2, "eval cloze-omni", `did you mean omni-cloze\?`)
	d.refuse(2, "eval capricorn-1k -p x", `did you mean capricorn\?`)
	d.refuse(2, "eval mcif1.0", `did you mean mcif\?`)
	d.refuse(2, "eval hellaswag", `no benchmark "hellaswag"; there are: .*mcif, .*omni-cloze`)
	d.saysNo(`did you mean`)
	d.refuse(2, "eval --predictions x", `name the benchmark first: .*mcif, .*omni-cloze`)
}

// Flags are named with one dash too few as well.
func TestMisspeltFlags(t *testing.T) {
	d := newDesk(t, "")
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judg offline", `unknown flag: --judg; did you mean --judge\?`)
	d.refuse(2, "eval omni-cloze --predictons clips.jsonl", `did you mean --predictions\?`)
	d.refuse(2, "eval omni-cloze --pred clips.jsonl", `did you mean --predictions\?`)
	d.refuse(2, "reconstruct --captions a=x --work-dir w", `unknown flag: --work-dir; `)
	d.saysNo(`name the`)
	d.refuse(2, "reconstruct --ratings r", "unknown flag: --ratings; it is a flag of `omniscope reconstruct report`")
	d.refuse(2, "journal --failed", `name the journal command first: .*show`)
	d.refuse(2, "journal --faild", `unknown flag: --faild; did you mean --failed\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --cost-max 3", `did you mean --max-cost\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --concurency 3", `did you mean --concurrency\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --maxCost 3", `did you mean --max-cost\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --dryrun", `there is no flag --dryrun: write --dry-run`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl -judge offline", `-judge: long flags begin with two dashes: --judge`)
	d.refuse(2, "eval omni-cloze -predictions=clips.jsonl", `-predictions: long flags begin with two dashes: --predictions`)
	d.refuse(2, "eval omni-cloze -predictons clips.jsonl", `-predictons: long flags begin with two dashes: --predictions`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --frobnicate", "unknown flag: --frobnicate; `omniscope eval omni-cloze --help` lists the flags")
	d.refuse(2, "eval omni-cloze -p clips.jsonl --limit many", `invalid argument "many" for --limit: give a whole number`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --timeout 5", `invalid argument "5" for --timeout: give a time with its unit, such as 90s`)
	d.refuse(2, "eval omni-cloze judge=offline", `got "judge=offline"; did you mean --judge\?`)
	d.run(0, "eval omni-cloze -p clips.jsonl -j8")
	d.run(0, "eval omni-cloze clips.jsonl")
	d.refuse(2, "eval omni-cloze -p clips.jsonl --limt 3", `unknown flag: --limt; did you mean --limit\?`)
}

func TestMisspeltModels(t *testing.T) {
	d := newDesk(t, "")
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge gpt-4o", `"gpt-4o" names no provider; did you mean openai/gpt-4o\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge gtp-4o", `did you mean openai/gpt-4o\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge o3-mini", `did you mean openai/o3-mini\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge claude-sonnet-4", `did you mean anthropic/claude-sonnet-4 or openrouter/anthropic/claude-sonnet-4\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge gemini-3-pro", `did you mean gemini/gemini-3-pro or openrouter/google/gemini-3-pro\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge google/gemini-2.5-pro", `did you mean openrouter/google/gemini-2.5-pro\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge Qwen/Qwen3-8B", `did you mean vllm/Qwen/Qwen3-8B or openrouter/Qwen/Qwen3-8B\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge qwen-max", `did you mean dashscope/qwen-max, vllm/qwen-max or openrouter/qwen/qwen-max\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge openai:gpt-4o", `did you mean openai/gpt-4o\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge OpenAI/gpt-4o", `did you mean openai/gpt-4o\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge opnai/gpt-4o", `did you mean openai/gpt-4o\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge openai/", `"openai/" names no model: write openai/NAME, such as openai/gpt-4.1`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge ofline", `did you mean offline\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge replies.json", `did you mean scripted/replies.json\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge banana", `no provider "banana".* one of: openai, vllm, sglang, dashscope, openrouter, .*scripted, people, offline`)
	d.saysNo(`did you mean`)
	d.refuse(2, "caption clip.mp4 --detective gpt-4o", `did you mean openai/gpt-4o\?`)
	d.refuse(2, "audit one.txt clip.mp4 --observer OpenAI/gpt-4o", `did you mean openai/gpt-4o\?`)
	d.gone(`omniscope-work/journal`)
	d.refuse(2, "doctor --judge gpt-4o", `did you mean openai/gpt-4o\?`)
	d.lacks(`.`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge openai/gtp-4o --max-cost 1", `--max-cost needs the price of openai/gtp-4o.*did you mean openai/gpt-4o\?`)
}

func TestMisspeltChoices(t *testing.T) {
	need.FFmpeg(t)
	d := newDesk(t, nearbyFiles)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --scoring oficial", `--scoring is official or strict, not "oficial"; did you mean official\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --scoring Strict", `did you mean strict\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --modality audiovisual", `not "audiovisual"; did you mean audio-visual\?`)
	d.refuse(2, "eval capricorn -p clips.jsonl -d clips.jsonl --judge-mode batch", `did you mean batched\?`)
	d.refuse(2, "caption clip.mp4 --modality sound", `--modality is audio-visual, audio or visual, not "sound"; did you mean audio\?`)
	d.refuse(2, "caption clip.mp4 --modality video", `did you mean visual\?`)
	// Every command takes names and letters.
	d.run(0, "eval omni-cloze -p clips.jsonl --modality a --out letters --work-dir letters")
	d.run(0, "eval omni-cloze -p clips.jsonl --modality audio --out letters --work-dir letters")
	d.refuse(1, "caption clip.mp4 --modality audio --observer openai/m,base-url=http://127.0.0.1:9", `clip.mp4: no such file`)
	d.refuse(1, "caption clip.mp4 --modality a --observer openai/m,base-url=http://127.0.0.1:9", `clip.mp4: no such file`)
	d.refuse(2, "caption clips.jsonl --tools ocrr,sound", `there is no tool "ocrr"; did you mean ocr\? There are: .*ocr, .*asr`)
	d.refuse(2, "score bleu --hyp clips.jsonl --ref clips.jsonl --format jsn", `not "jsn"; did you mean json`)
	d.refuse(2, "score bleu --hyp clips.jsonl --ref clips.jsonl --tokenize 13", `did you mean 13a\?`)
	d.refuse(2, "score normalize --scheme whisper_en", `did you mean whisper-en\?`)
	d.refuse(2, "eval mcif -s out.xml -t shrot -l de", `--track is short or long, not "shrot"; did you mean short\?`)
	d.refuse(2, "eval mcif -s out.xml -t short -l deu", `"deu".*did you mean de\?`)
	d.refuse(2, "eval mcif -s out.xml -r ref.xml -t short -l german", `"german".*did you mean de\?`)
	d.refuse(2, "eval mcif -s out.xml -t short -l DE", `"DE".*did you mean de\?`)
	d.refuse(2, "score bertscore --hyp clips.jsonl --ref clips.jsonl --lang Italian", `"Italian"; did you mean it\?`)
	d.refuse(2, "eval mcif -s out.xml -t short -l de -v 1", `--mcif-version is 1.0 or 1.1, not "1"`)
	d.refuse(2, "data get wmt22-comet-da", `no data "wmt22-comet-da"; did you mean comet/wmt22-comet-da\?`)
	d.refuse(2, "data get bertscore/de", `did you mean bert_score/de\?`)
	d.refuse(2, "score comet --src folder/one.txt --hyp folder/one.txt --ref folder/one.txt --model wmt22-comet", `did you mean comet/wmt22-comet-da\?`)
	d.refuse(2, "data get mcf", `did you mean mcif\?`)
}

// The nearest name in the folder is offered.
func TestMisspeltFiles(t *testing.T) {
	d := newDesk(t, nearbyFiles)
	d.refuse(1, "eval omni-cloze -p cilps.jsonl", `cilps.jsonl: no such file or directory; did you mean clips.jsonl\?`)
	d.refuse(1, "eval omni-cloze -p folder/Captions.json", `did you mean folder/captions.jsonl\?`)
	d.refuse(1, "eval omni-cloze -p flder/captions.jsonl", `did you mean folder/captions.jsonl\?`)
	d.refuse(1, "score bleu --hyp clips.jsonl --ref folder/caption.jsonl", `did you mean folder/captions.jsonl\?`)
	d.refuse(1, "compare foldr folder", `did you mean folder\?`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge vllm/m --prompts foldr", `did you mean folder\?`)
	d.refuse(1, "eval omni-cloze -p clips.jsonl --judge scripted/folder/replys.json", `did you mean folder/replies.json\?`)
	d.run(1, "eval omni-cloze -p banana")
	d.saysNo(`did you mean`)
}

// A variable that sets no flag is reported, unless the program itself reads it.
func TestMisspeltVariables(t *testing.T) {
	need.Processes(t)
	d := newDesk(t, "")
	t.Setenv(`OMNISCOPE_JUDG`, `offline`)
	t.Setenv(`OMNISCOPE_JUDGE_API_KEY`, `k`)
	t.Setenv(`OMNISCOPE_SPEECH_PACK`, `none`)
	t.Setenv(`OMNISCOPE_MAX_COST`, `3`)
	d.run(0, "docs tools")
	d.says(`warning: OMNISCOPE_JUDG sets no flag of any command; did you mean OMNISCOPE_JUDGE\?`)
	d.saysNo(`API_KEY|SPEECH|COST`)
}
