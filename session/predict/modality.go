package predict

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
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
			hint = fmt.Sprintf("profile %s is for models that are asked by %s, and --model-profile names another", s.Profile.Name, s.Profile.AskedBy())
		}
		warnings = append(warnings, fmt.Sprintf("%s tests %s, and --modality %s sends the model no %[2]s: questions about %[2]s count against the model; %[4]s", info.Name, sense.medium, s.Modality, hint))
	}
	return warnings
}
