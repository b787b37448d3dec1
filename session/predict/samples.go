package predict

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/predict"
	"omniscope/internal/sha256hex"
	"omniscope/media"
	"omniscope/results"
	"omniscope/session/catalog"
)

// readSamples reads which samples there are, before anything is paid for.
func (w *Run) readSamples(ctx context.Context) (err error) {
	s := w.Spec
	var samples iter.Seq2[omniscope.Sample, error]
	if s.Benchmark == "" {
		samples = clipSamples(s.Clips)
	} else {
		b, err := catalog.Benchmark(s.Benchmark)
		if err != nil {
			return err
		}
		dataset, ok := b.(bench.Dataset)
		if !ok {
			return omniscope.Usagef("%s has no file of its own that says what models are asked", s.Benchmark)
		}
		if s.SHA256, err = sha256hex.File(w.At(s.Data)); err != nil {
			return err
		}
		w.dataset, samples = dataset, dataset.Samples(ctx, w.At(s.Data))
	}
	wanted := make(map[string]bool)
	for _, id := range s.SampleIDs {
		wanted[id] = true
	}
	skipped, others := 0, make(map[omniscope.Modality]int)
	for sample, err := range samples {
		if err != nil {
			return err
		}
		if len(wanted) > 0 && !wanted[string(sample.ID)] {
			continue
		}
		delete(wanted, string(sample.ID))
		if sample.Options != nil {
			s.Answers = results.WordsOfOptions
		}
		if !has(&sample, s.Modality) {
			skipped++
			for _, m := range allModalities {
				if has(&sample, m) {
					others[m]++
				}
			}
			continue
		}
		if w.Samples = append(w.Samples, sample); len(w.Samples) == s.Limit {
			break
		}
	}
	if sense := s.onlySense(skipped, others); sense != "" && len(w.Samples) == 0 {
		fmt.Fprintf(w.Warnings, "the samples name no media for --modality %s: asked by --modality %s\n", s.Modality, sense)
		s.Modality, s.AnySense = sense, false
		return w.readSamples(ctx)
	}
	return w.checkSamples(wanted, skipped, others)
}

// onlySense is the one of the senses that the model has which can ask all skipped samples, where any may be taken; "" = there is
// none, or are several.
func (s *Spec) onlySense(skipped int, others map[omniscope.Modality]int) (only omniscope.Modality) {
	if !s.AnySense || s.Profile == nil || skipped == 0 {
		return ""
	}
	for _, m := range s.Profile.Senses {
		switch {
		case m == predict.Text || others[m] < skipped:
		case only != "":
			return ""
		default:
			only = m
		}
	}
	return only
}

// allModalities in the order in which a message names one.
var allModalities = []omniscope.Modality{omniscope.AudioVisual, omniscope.Audio, omniscope.Visual, predict.Text}

// checkSamples refuses a run without a sample to ask about, and unknown ids. others counts the skipped samples by the modalities that
// can ask them.
func (w *Run) checkSamples(unknown map[string]bool, skipped int, others map[omniscope.Modality]int) error {
	s := w.Spec
	if len(unknown) > 0 && (s.Limit == 0 || len(w.Samples) < s.Limit) {
		return omniscope.Usagef("--sample %s: %s has no such sample", strings.Join(slices.Sorted(maps.Keys(unknown)), ","), s.Data)
	}
	switch {
	case len(w.Samples) == 0 && skipped > 0:
		return omniscope.Usagef("none of %d samples of %s can be asked by --modality %s: it names no such media%s", skipped, s.Data, s.Modality, otherModality(skipped, others))
	case len(w.Samples) == 0:
		return omniscope.Usagef("there is nothing to ask: %s holds no sample", s.Data)
	case skipped > 0:
		fmt.Fprintf(w.Warnings, "warning: %d samples name no media for --modality %s and are not asked, as in the published runner\n", skipped, s.Modality)
	}
	return nil
}

// otherModality names the modality that can ask most of the samples; "" = no modality can.
func otherModality(samples int, others map[omniscope.Modality]int) string {
	best := allModalities[0]
	for _, m := range allModalities {
		if others[m] > others[best] {
			best = m
		}
	}
	if others[best] == 0 {
		return ""
	}
	return fmt.Sprintf("; --modality %s can ask %d of %d", best, others[best], samples)
}

// CheckPrograms refuses a run whose clips could not be opened.
func (w *Run) CheckPrograms(ctx context.Context) error {
	if w.Spec.Modality == predict.Text {
		return nil
	}
	if err := media.CheckPrograms(ctx); err != nil {
		return err
	}
	if p := w.Spec.Profile; p != nil && p.Sound.Format == "mp3" && w.Spec.Modality != omniscope.Visual {
		return media.CheckMP3(ctx)
	}
	return nil
}

// has reports whether a sample names media for a modality.
func has(s *omniscope.Sample, m omniscope.Modality) bool {
	switch m {
	case predict.Text:
		return s.Media.Text != ""
	case omniscope.Audio:
		return s.Media.Audio != "" || s.Media.Video != ""
	}
	return s.Media.Video != ""
}

// clipSamples are files that the user named, a sample each.
func clipSamples(files []string) iter.Seq2[omniscope.Sample, error] {
	return func(yield func(omniscope.Sample, error) bool) {
		names := mediaIDs(files)
		for i, path := range files {
			if !yield(omniscope.Sample{ID: omniscope.SampleID(names[i]), Media: omniscope.Media{Video: path, Audio: path}}, nil) {
				return
			}
		}
	}
}
