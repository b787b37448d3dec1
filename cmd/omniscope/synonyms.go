package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/model/ref"
)

// behindModel is the answer to a flag that is a setting of a model here.
func behindModel(key string) string {
	return fmt.Sprintf("write it behind the model: --model PROVIDER/NAME,%s=", key)
}

// synonyms are what other programs of the field, and earlier versions of this one, call flags, with what to write here. What begins
// with -- is the flag of another name.
var synonyms = map[string]string{
	// a benchmark and its files
	"task": "name the benchmark: omniscope run BENCH", "tasks": "name the benchmark: omniscope run BENCH", "benchmark": "name the benchmark: omniscope run BENCH", "dataset": "--data", "datasets": "--data",
	"input": "--data", "input-file": "--data", "data-path": "--data", "dataset-path": "--data", "annotations": "--data", "video-dir": "--media", "audio-dir": "--media", "media-dir": "--media",
	"video-folder": "--media", "image-folder": "--media", "prediction": "--predictions", "preds": "--predictions", "responses": "--predictions", "generations": "--predictions",
	"answers": "--predictions", "results": "--predictions", "caption": "--captions", "id": "--id-field", "id-key": "--id-field", "key": "--id-field",
	"samples": "--limit", "num-samples": "--limit", "max-samples": "--limit", "n": "--limit", "num-examples": "--limit", "max-examples": "--limit", "subset": "--sample", "sample-ids": "--sample", "ids": "--sample",
	"random-seed": "--seed", "split": "--data", "reference-file": "--reference", "references": "--reference",
	// models
	"base-url": behindModel("base-url"), "api-base": behindModel("base-url"), "endpoint": behindModel("base-url"), "url": behindModel("base-url"), "model-base-url": behindModel("base-url"),
	"api-key": "a key on the command line could be read by others: set the provider's variable, such as OPENAI_API_KEY, or write key-env=VARIABLE behind the model",
	"token":   "a key on the command line could be read by others: set HF_TOKEN", "api-key-env": behindModel("key-env"),
	"temperature": behindModel("temperature"), "top-p": behindModel("top-p"), "top-k": behindModel("extra.top_k"), "stop": behindModel("stop"), "gen-kwargs": behindModel("temperature"),
	"generation-kwargs": behindModel("temperature"), "model-args": behindModel("temperature"), "model-kwargs": behindModel("temperature"), "max-new-tokens": behindModel("max-tokens"),
	"max-completion-tokens": behindModel("max-tokens"), "max-gen-toks": behindModel("max-tokens"), "max-output-tokens": behindModel("max-tokens"), "max-length": behindModel("max-tokens"),
	"max-tokens": "two things are called so: the longest answer is max-tokens= behind the model, and the most tokens of the command is --max-total-tokens",
	"fps":        behindModel("fps"), "max-frames": behindModel("max-frames"), "num-frames": behindModel("max-frames"), "nframes": behindModel("max-frames"), "max-num-frames": behindModel("max-frames"),
	"max-pixels": behindModel("max-pixels"), "visual-tokens": behindModel("visual-tokens"), "system-prompt": behindModel("system"), "system-message": behindModel("system"),
	"model-profile": behindModel("profile"), "model-name": "--model", "models": "--model (several times for several models)", "pretrained": "--model", "judge-model": "--judge", "judges": "--judge (several times for several judges)",
	"grader": "--judge", "scorer": "--judge", "evaluator": "--judge", "observers": "--observer (several times for several observers)", "whisper": "--asr", "num-fewshot": "no benchmark here has examples in its prompts",
	"limit-mm-per-prompt": behindModel("max-frames"), "max-inquiries": "--inquiries", "sample-id": "--sample",
	// what earlier versions called rules, forms and commands
	"least-words": "--rule words=20-800", "most-words": "--rule words=20-800", "most-still": "--rule still=SHARE", "most-quiet": "--rule silent=SHARE", "most-unfounded": "--rule unfounded=SHARE",
	"most-disputed": "--rule contradicted=SHARE", "off": "--rule NAME=off", "require": "--rule NAME=required", "media-prefix": "--media-root", "alike": "--rule alike=SHARE", "parquet": "--as parquet", "webdataset": "--as webdataset",
	"folder": "the folder is an argument: omniscope demo FOLDER --people", "kind": "--people=KIND", "benches": "name a benchmark: omniscope eval BENCH --captions FILE; a suite file has several (docs/suites.md)",
	"normalize": "write omniscope score wer,normalizer=NAME, or normalise texts with omniscope score normalize",
	// scoring
	"profile": "--scoring", "mode": "--scoring", "official": "--scoring official", "strict": "--scoring strict", "metrics": "omniscope score MEASURE, or the benchmark's own scores",
	// spending and speed
	"budget": "--max-cost", "cost-limit": "--max-cost", "max-spend": "--max-cost", "dryrun": "--dry-run", "estimate": "--dry-run", "plan": "--dry-run",
	"batch-size": "--concurrency", "num-concurrent": "--concurrency", "max-connections": "--concurrency", "workers": "--concurrency", "num-workers": "--concurrency", "parallel": "--concurrency",
	"nproc": "--concurrency", "threads": "--concurrency", "jobs": "--concurrency", "num-proc": "--concurrency", "max-concurrency": "--concurrency", "max-workers": "--concurrency", "max-threads": "--concurrency",
	"rpm": behindModel("rpm"), "rate-limit": behindModel("rpm"), "qps": behindModel("rpm"), "retries": "--max-retries", "max-model-calls": "--max-calls",
	// output
	"output": "--out", "output-path": "--out", "output-dir": "--out", "log-dir": "--out", "results-dir": "--out", "save-dir": "--out", "output-file": "--out", "format": "--as", "output-format": "--as", "trainer": "--for",
	"name": "--system", "run-name": "--system", "log-samples": "every answer is kept without a flag", "no-cache": "--fresh", "cache": "answers are remembered without a flag; --fresh asks again",
	"use-cache": "answers are remembered without a flag; --fresh asks again", "cache-dir": "--work-dir", "overwrite": "--force", "resume": "the same command goes on where it stopped, without a flag",
	"redo": "--fresh", "rerun": "--fresh", "rerun-failed": "--ask-failed", "retry-failed": "--ask-failed", "yes-to-all": "--force", "silent": "--quiet", "no-progress": "--quiet", "debug": "--verbose", "verbosity": "--verbose",
	"port": "--listen HOST:PORT", "host": "--listen HOST:PORT", "addr": "--listen HOST:PORT", "address": "--listen HOST:PORT", "bind": "--listen HOST:PORT", "epochs": "--repeat", "trials": "--repeat", "num-runs": "--repeat", "runs": "--repeat",
	"model-type": "write the provider before the name: --model vllm/NAME", "provider": "write the provider before the name: --model vllm/NAME", "device": "the endpoint chooses its device", "cuda": "the endpoint chooses its device",
	"prompt-file": "--prompt", "instruction": "--prompt", "config": "omniscope.yaml is read from this folder or one above",
}

// ofRole matches the flags that earlier versions had for each setting of each role.
var ofRole = regexp.MustCompile(`^(model|judge|answerer|embedder|detective|splitter|drafter|validator|tester|mender|generator|observer|asr)-(base-url|temperature|max-tokens|extra|attempts|header|query|schema|least)$`)

// synonym is the answer to a flag that a command does not have; "" = the flag is not known.
func synonym(cmd *cobra.Command, flag string) string {
	name := strings.ToLower(strings.ReplaceAll(strings.TrimLeft(flag, "-"), "_", "-"))
	if m := ofRole.FindStringSubmatch(name); m != nil {
		key := map[string]string{"extra": "extra.FIELD", "header": "header.NAME", "query": "query.NAME", "least": "least-logprob"}[m[2]]
		if key == "" {
			key = m[2]
		}
		return fmt.Sprintf("write it behind the model: --%s PROVIDER/NAME,%s=", m[1], key)
	}
	meant := synonyms[name]
	if other, ok := strings.CutPrefix(meant, "--"); ok {
		other, _, _ = strings.Cut(strings.ReplaceAll(other, "=", " "), " ")
		if cmd.Flags().Lookup(other) == nil {
			return ""
		}
		return "write " + meant
	}
	if meant == "" && cmd.Flags().Lookup("model") != nil {
		if _, err := ref.Find(name); err == nil {
			return behindModel(name)
		}
	}
	return meant
}

// removed are commands of earlier versions, with what they are now.
var removed = map[string]string{
	"predict": "run BENCH --no-score, or caption CLIPS --model MODEL for clips of your own", "predict captions": "caption CLIPS --model MODEL", "investigate": "caption CLIPS", "perceive": "caption CLIPS --tools-only",
	"eval claims": "audit CAPTIONS", "eval cascade": "eval BENCH --captions FILE", "text": "score", "diff": "compare --samples RUN RUN", "curve": "compare --by WHAT RUN...", "report": "view RUN --html FILE", "cite": "export RUN... --as latex",
	"serve": "people serve PROJECT, or view for runs", "people demo": "demo --people", "models": "data", "list": "data list, docs models or docs", "profile": "docs profile, or probe --preview CLIP", "profile check": "probe --preview CLIP",
	"attach": "worker attach", "cluster": "worker status", "version": "--version",
}

// otherHarness are commands of other harnesses, with what does the same here.
var otherHarness = map[string]string{
	"lmms_eval": askAndScore, "lmms-eval": askAndScore, "lm_eval": askAndScore, "lm-eval": askAndScore, "simple-evaluate": askAndScore, "simple_evaluate": askAndScore, "evaluate": askAndScore, "inspect": askAndScore, "vlmeval": askAndScore,
	"vlmevalkit": askAndScore, "infer": askAndScore, "generate": "omniscope caption captions clips, and omniscope run asks a model about a benchmark", "judge": "omniscope eval has a judge score answers (--judge MODEL)", "init": "nothing has to be set up; omniscope demo writes data to try",
	"login": "keys are variables of the environment, such as OPENAI_API_KEY; omniscope doctor shows them", "annotate": "omniscope people new makes a project of people's work",
}

const askAndScore = "omniscope run BENCH asks a model and scores it, and omniscope import takes answers out of logs of other harnesses"

// removedCommand answers the name of a command that is gone, and that of a benchmark where a command belongs; "" = it is neither.
func removedCommand(root *cobra.Command, words []string) string {
	for n := min(2, len(words)); n > 0; n-- {
		if now := removed[strings.Join(words[:n], " ")]; now != "" {
			return fmt.Sprintf("%s is now: omniscope %s", strings.Join(words[:n], " "), now)
		}
	}
	if does := otherHarness[words[0]]; does != "" {
		return fmt.Sprintf("there is no command %s: %s", words[0], does)
	}
	for _, verb := range []string{"run", "eval"} {
		of, _, err := root.Find([]string{verb, words[0]})
		if err == nil && of.Name() == words[0] && of.Parent() != root {
			return fmt.Sprintf("%s is a benchmark: write omniscope run %[1]s to ask a model, or omniscope eval %[1]s to score answers", words[0])
		}
	}
	return ""
}
