package predict

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/predict"
	"omniscope/session/catalog"
)

// warnOfUnsent prints the warnings of unsent.
func (w *Run) warnOfUnsent() {
	if w.dataset == nil {
		return
	}
	info := w.dataset.Info()
	for _, warning := range w.Spec.unsent(&info) {
		fmt.Fprintln(w.Warnings, "warning:", warning)
	}
}

// unsent warns of senses that a benchmark tests and the model is not sent.
func (s *Spec) unsent(info *bench.Info) (warnings []string) {
	seenAlone := info.SeenAlone != "" && strings.HasPrefix(filepath.Base(s.Data), info.SeenAlone)
	for _, sense := range []struct {
		tested bool
		alone  omniscope.Modality
		medium string
	}{
		{info.Hears && !seenAlone, omniscope.Audio, "sound"},
		{info.Sees, omniscope.Visual, "pictures"},
	} {
		if !sense.tested || s.Modality == omniscope.AudioVisual || s.Modality == sense.alone {
			continue
		}
		hint := "--modality " + string(omniscope.AudioVisual) + " sends both"
		if s.Profile != nil && !slices.Contains(s.Profile.Senses, omniscope.AudioVisual) {
			hint = fmt.Sprintf("profile %s is for models that are asked by %s, and profile=NAME behind the model names another", s.Profile.Name, s.Profile.AskedBy())
		}
		warnings = append(warnings, fmt.Sprintf("%s tests %s, and --modality %s sends the model no %[2]s: questions about %[2]s count against the model; %[4]s", info.Name, sense.medium, s.Modality, hint))
	}
	return warnings
}

// ChooseModality returns the modality by which a model is asked about a benchmark ("" = clips of the user's own): the named modality, else the
// first of the profile (nil = the detective) that the benchmark can be asked by. One that cannot be asked is a usage error.
func ChooseModality(benchmark string, p *predict.Profile, named omniscope.Modality) (omniscope.Modality, error) {
	senses := []omniscope.Modality{omniscope.AudioVisual, omniscope.Audio, omniscope.Visual} // of the detective
	if p != nil {
		senses = p.Senses
	}
	var info bench.Info
	if benchmark != "" {
		b, err := catalog.Benchmark(benchmark)
		if err != nil {
			return "", err
		}
		info = b.Info()
	}
	soundAlone := info.Hears && !info.Sees
	switch {
	case soundAlone && named != "" && named != omniscope.Audio:
		return "", omniscope.Usagef("--modality %s: %s asks about sound alone: write --modality %s, or leave it out", named, benchmark, omniscope.Audio)
	case soundAlone && !slices.Contains(senses, omniscope.Audio):
		return "", omniscope.Usagef("%s asks about sound alone, and profile %s is for models that are asked by %s: name a profile that hears behind the model: profile=NAME", benchmark, p.Name, p.AskedBy())
	case soundAlone:
		return omniscope.Audio, nil
	case named == "":
		return senses[0], nil
	case p != nil && !slices.Contains(senses, named):
		return "", omniscope.Usagef("--modality %s: profile %s is for models that are asked by %s: write --modality %s, or name another profile behind the model: profile=NAME", named, p.Name, p.AskedBy(), senses[0])
	}
	return named, nil
}
