package main

import (
	"strings"
	"testing"
)

func TestSynonymsOfFlags(t *testing.T) {
	if len(synonyms) < 80 {
		t.Errorf("%d synonyms", len(synonyms))
	}
	for line, says := range map[string]string{
		"eval omni-cloze --tasks mmau":                     "name the benchmark: omniscope run BENCH",
		"eval omni-cloze --base-url http://h":              "--model PROVIDER/NAME,base-url=",
		"eval omni-cloze --judge-base-url http://h":        "--judge PROVIDER/NAME,base-url=",
		"eval omni-cloze --judge-header a":                 "--judge PROVIDER/NAME,header.NAME=",
		"eval omni-cloze --no-cache":                       "write --fresh",
		"eval omni-cloze --max_new_tokens 5":               ",max-tokens=",
		"eval omni-cloze --api-key k":                      "could be read by others",
		"eval omni-cloze --output_path x":                  "write --out",
		"run mmau --num_fewshot 5":                         "no benchmark here has examples",
		"run mmau --pretrained x":                          "write --model",
		"run mmau --max-frames 8":                          ",max-frames=",
		"run mmau --fps 2":                                 ",fps=",
		"train export c --least-words 5":                   "write --rule words=20-800",
		"train export c --off alike":                       "write --rule NAME=off",
		"train export c --media-prefix /d":                 "write --media-root",
		"train export c --webdataset":                      "write --as webdataset",
		"caption c --max-inquiries 4":                      "write --inquiries",
		"eval omni-cloze --sample-id a":                    "write --sample",
		"eval mmau --benches mmau":                         "omniscope eval BENCH --captions FILE",
		"demo --kind arena":                                "write --people=KIND",
		"data samples mmau":                                "takes BENCHMARK FILE, got 1 argument;",
		"lmms_eval --tasks mmau":                           "omniscope import takes answers",
		"eval omni-cloze --judge openai/x,max-tokens=many": `not "many"` + "\n",
		"people invite votes":                              "name the project and the people",
		"people invite votes a b --name C":                 "--name is the name of one person",
		"eval omni-cloze --frobnicate":                     "unknown flag: --frobnicate; `omniscope eval omni-cloze --help` lists the flags",
	} {
		v := command(t.Context(), strings.Fields(line)...)
		v.ends(t, exitUsage).says(t, says)
	}
}

// TestSynonymsAreNoFlags: no answer names the flag that it answers.
func TestSynonymsAreNoFlags(t *testing.T) {
	for name, meant := range synonyms {
		if other, ok := strings.CutPrefix(meant, "--"); ok && strings.Fields(other)[0] == name {
			t.Errorf("--%s is answered by itself", name)
		}
	}
}
