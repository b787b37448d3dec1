package main

import (
	"testing"
)

// Every mistake on the command line is reported and ends with exit code 2.
func TestUsageErrors(t *testing.T) {
	d := newDesk(t, "")
	d.refuse(2, "eval", `name a benchmark`)
	d.refuse(2, "eval omni-cloze", `name a file of predictions: omniscope eval omni-cloze FILE`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --limit -1", `must not be negative`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --modality smell", `--modality is audio-visual, audio or visual, not "smell"`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --scoring lenient", `--scoring is official or strict, not "lenient"`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge openai/m,base-url=localhost", `is not an address such as http://localhost:8000/v1`)
	d.refuse(2, `eval omni-cloze -p clips.jsonl --judge openai/m,extra=1`, `write extra.FIELD=`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge openai/m -j 0", `--concurrency must be at least 1`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge vllm/m --max-cost 1", `--max-cost needs the price of vllm/m`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge vllm/m --prompts nowhere", `--prompts nowhere is not a folder`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --prompts nowhere", `the offline judge reads none`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --max-cost NaN", `--max-cost must be a number`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --max-failures 5", `--max-failures is a share from 0 to 1`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge openai/m,temperature=NaN", `temperature is a number from 0 to 100`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --timeout -1s", `--timeout must be more than 0`)
	d.refuse(2, "docs cats", `no list "cats"; there are: benchmarks`)
	d.refuse(2, "journal show one two", `accepts at most 1 arg`)
	d.refuse(2, "journal show --failed", `name the run`)
	d.refuse(2, "journal replay", `takes RUN, got 0 arguments`)
	d.gone(`omniscope-work`)
}

// A paid judge without a key is refused before anything is sent.
func TestJudgeWithoutKey(t *testing.T) {
	d := newDesk(t, "")
	d.refuse(1, "eval omni-cloze -p clips.jsonl --judge openai/gpt-4o-2024-11-20", `no key for openai: set OPENAI_API_KEY, or write another address behind the model: --judge …,base-url=URL`)
	d.refuse(1, "eval omni-cloze -p clips.jsonl --judge anthropic/claude-sonnet-4", `no key for anthropic: set ANTHROPIC_API_KEY`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge azure/gpt", `no address is set: set AZURE_OPENAI_ENDPOINT, such as https://RESOURCE.openai.azure.com, or write it behind the model: --judge …,base-url=URL`)
}

// Every command has help with examples or flags, and help has exit code 0.
func TestHelpOfCommands(t *testing.T) {
	d := newDesk(t, "")
	d.run(0, "eval --help-all")
	d.prints(`Score what a system said on a benchmark`)
	d.run(0, "--help")
	d.prints(`Exit codes: 0 done`)
	d.run(0, "")
	d.prints(`run `)
	d.run(0, "eval --help")
	d.prints(`omni-cloze`)
	d.run(0, "eval omni-cloze --help")
	d.prints(`--dry-run`, `[0-9]+ more: --help-all`)
	d.lacks(`retry-wait`, `Step keys`)
	d.run(0, "eval omni-cloze --help-all")
	d.prints(`Step keys, for scripted judges and the journal: the sample.s uuid`, `--dry-run`)
	d.lacks(`retry-wait`)
	d.run(0, "journal --help")
	d.prints(`replay`)
	d.run(0, "journal show --help")
	d.prints(`--failed`)
	d.run(0, "journal export --help")
	d.prints(`JSON Lines`)
	d.run(0, "journal replay --help-all")
	d.prints(`without any`)
	d.run(0, "doctor --help-all")
	d.prints(`are never printed`)
	d.run(0, "docs --help")
	d.prints(`benchmarks\|metrics\|models\|prices`)
	d.run(0, "docs --help-all")
	d.prints(`Markdown`)
	d.run(0, "--version")
	d.prints(`omniscope version`)
}
