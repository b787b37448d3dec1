package mcif

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/filename"
	"omniscope/internal/ondisk"
	"omniscope/metric/textnorm"
)

var _ bench.AnswerWriter = Benchmark{}

// Samples implements bench.Dataset. file is one of the test set's XML files of
// what is asked (…src.fixedprompts.xml, …src.mixedprompts.xml); without Track
// and Lang it is the first task of the file. Media are named below the test
// set's folders, such as LONG_AUDIOS.
func (b Benchmark) Samples(ctx context.Context, file string) iter.Seq2[omniscope.Sample, error] {
	return func(yield func(omniscope.Sample, error) bool) {
		defs, err := mcifxml.ReadDefinitions(ctx, file, b.Track, b.Lang, mcifxml.Options{Lenient: b.Lenient})
		if err == nil {
			err = askable(defs)
		}
		if err != nil {
			yield(omniscope.Sample{}, err)
			return
		}
		for _, d := range defs.Samples {
			if !yield(sampleOf(defs, d), nil) {
				return
			}
		}
	}
}

// askable is an error where a sample has no id of its own, or nothing is asked of
// it: a model's answer could not be given to it.
func askable(defs *mcifxml.Definitions) error {
	for _, p := range defs.Problems {
		if p.Kind == mcifxml.DuplicateID || p.Kind == mcifxml.MissingID {
			return omniscope.Invalidf("%s", p)
		}
	}
	for _, d := range defs.Samples {
		if strings.TrimSpace(d.Instruction) == "" {
			return omniscope.Invalidf("%s:%d: sample %q has no instruction: is this a file of what is asked (…src.fixedprompts.xml)?", d.File, d.Line, d.ID)
		}
	}
	return nil
}

func sampleOf(defs *mcifxml.Definitions, d mcifxml.Definition) omniscope.Sample {
	folder := strings.ToUpper(defs.Track)
	below := func(kind, name string) string {
		if name == "" {
			return ""
		}
		return folder + "_" + kind + "/" + name
	}
	return omniscope.Sample{
		ID:     omniscope.SampleID(d.ID),
		Media:  omniscope.Media{Audio: below("AUDIOS", d.AudioPath), Video: below("VIDEOS", d.VideoPath), Text: below("TEXTS", d.TextPath)},
		Prompt: d.Instruction, Language: defs.Lang, Track: defs.Track,
	}
}

// modalityNames are the modalities as the names of published files have them.
var modalityNames = map[string]string{string(omniscope.AudioVisual): "mllm", string(omniscope.Visual): "video", string(omniscope.Audio): "audio", "text": "text"}

// AnswersName implements bench.AnswerWriter: the published baselines' names.
func (Benchmark) AnswersName(a *bench.Answers) string {
	prompts := "fixed"
	if strings.Contains(filepath.Base(a.Data), "mixedprompts") {
		prompts = "random"
	}
	return strings.Join([]string{modalityNames[a.Modality], a.Track, a.Language, prompts, filename.Safe(a.System), "output.xml"}, "_")
}

// WriteAnswers implements bench.AnswerWriter. Characters that XML cannot hold are
// left out.
func (Benchmark) WriteAnswers(w io.Writer, a *bench.Answers) (changed []string, err error) {
	out := &mcifxml.Output{Root: a.System, Track: a.Track, Lang: a.Language}
	for _, answer := range a.List {
		text, dropped := mcifxml.Legal(textnorm.Strip(answer.Text))
		if dropped > 0 {
			changed = append(changed, fmt.Sprintf("sample %s: %d characters that XML cannot hold were left out", answer.Sample, dropped))
		}
		out.Samples = append(out.Samples, mcifxml.Sample{ID: string(answer.Sample), Text: text})
	}
	return changed, mcifxml.WriteOutput(w, out)
}

// ScoredWith implements bench.AnswerWriter. References are those beside the file of
// what was asked; without any they come from the hub.
func (Benchmark) ScoredWith(a *bench.Answers) map[string]string {
	with := map[string]string{"track": a.Track, "language": a.Language}
	name := filepath.Base(a.Data)
	if at := strings.Index(name, ".src."); at > 0 {
		references := filepath.Join(filepath.Dir(a.Data), name[:at]+".ref.xml")
		if ondisk.Exists(references) {
			with["data"] = references
		}
	}
	switch a.Modality {
	case string(omniscope.AudioVisual), string(omniscope.Visual):
		with["filter-modality"] = "video"
	default:
		with["filter-modality"] = a.Modality
	}
	return with
}
