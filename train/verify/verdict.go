package verify

import (
	"fmt"
	"slices"
	"strings"

	"omniscope/internal/quantity"
	"omniscope/train"
)

// Shares from which something is told.
const (
	// mostUnchanged is the share of a trained part's weights that may lie in unchanged tensors: the models have few that
	// nothing is computed with, such as audio_tower.audio_bos_eos_token. Vectors do not count: norms near 1 change by less than
	// a step of BF16.
	mostUnchanged = 0.01
	// farAway is a relative change that two epochs at 5e-6 do not bring about.
	farAway = 0.5
)

// judge fills in failures and notes.
func (r *Report) judge() {
	r.judgeNumbers()
	if r.nothingChanged() {
		r.fail("all tensors are those of the base model, bit for bit: this is the base itself, or nothing was trained (a learning rate of 0, or adapters that lie elsewhere)")
		return
	}
	for _, name := range []string{visualPart, audioPart, llm} {
		if p := r.part(name); r.complete(name, p) {
			r.judgePart(p)
		}
	}
	for _, p := range r.Parts {
		if p.Name != visualPart && p.Name != audioPart && p.Name != llm {
			r.noteOther(p)
		}
		if p.RelativeChange != nil && *p.RelativeChange > farAway {
			r.note("%s changed by %.2g of its norm, far more than such a training brings about: is BASE the model that it started from?", p.Name, *p.RelativeChange)
		}
	}
}

// judgeNumbers fails tensors with numbers that are not finite.
func (r *Report) judgeNumbers() {
	for _, p := range r.Parts {
		for _, t := range p.broken {
			if t.base > 0 {
				r.fail("tensor %s of the base model has %s NaN or infinite: the file is damaged, get it again", t.name, quantity.Of(t.base, "number that is", "numbers that are"))
			}
			if t.checkpoint > 0 && t.base == 0 {
				r.fail("tensor %s has %s NaN or infinite: the training diverged (ms-swift issue 2280); look for the step in its log, and start again from a checkpoint before it", t.name, quantity.Of(t.checkpoint, "number that is", "numbers that are"))
			}
		}
	}
}

func (r *Report) nothingChanged() bool {
	return !slices.ContainsFunc(r.Parts, func(p *modelPart) bool { return p.Changed+p.Missing+p.New > 0 })
}

// complete fails a part that the models do not both have as a whole.
func (r *Report) complete(name string, p *modelPart) bool {
	switch {
	case p == nil || p.Tensors+p.Missing == 0:
		r.fail("the base model has no tensors of %s: it is not the thinker of a Qwen Omni model, or its names have another form (Megatron's checkpoints are converted first)", name)
	case p.Missing > 0:
		r.fail("the checkpoint lacks %s of %s: it was not saved as a whole, or its names have another form (Megatron's checkpoints are converted first)", some(p.missing), name)
	case p.New > 0 && strings.Contains(p.added[0], "lora_"):
		r.fail("the checkpoint has weights of adapters in %s (%s): the recipe trains all weights (ms-swift: --tuner_type full)", name, some(p.added))
	case p.New > 0:
		r.fail("the checkpoint has %s in %s, which the base model does not have: they are two models", some(p.added), name)
	default:
		return true
	}
	return false
}

// judgePart fails a part that changed and must not have, or the other way about.
func (r *Report) judgePart(p *modelPart) {
	frozen := p.Name == visualPart && r.Stage == train.AudioCaptioner
	switch {
	case frozen && p.Changed > 0:
		r.fail("visual changed in %s; stage 1 freezes it: %s", some(p.changed), whyVisualChanged(p))
	case frozen:
	case p.Changed == 0:
		r.fail("%s is unchanged; %s trains it: %s", p.Name, r.Stage, r.whyUnchanged(p.Name))
	case p.matrices > 0 && float64(p.unchanged) > mostUnchanged*float64(p.matrices):
		r.fail("%s changed only in part: %.1f%% of its weights lie in tensors that are unchanged (%s): %s",
			p.Name, 100*float64(p.unchanged)/float64(p.matrices), some(p.equal), whyPartly(p))
	case p.Equal > 0:
		r.note("%s: %s unchanged; norms and biases in BF16 often are, as their steps are larger than what is learnt", p.Name, some(p.equal))
	}
}

func whyVisualChanged(p *modelPart) string {
	if all(p.changed, "visual.merger") {
		return "only its merger did, which VeOmni's train.freeze_vit leaves trainable, as does ms-swift with --freeze_aligner false"
	}
	return "the visual encoder was not frozen (ms-swift: --freeze_vit true --freeze_aligner true; VeOmni: train.freeze_vit: true), or the checkpoint is of stage 2"
}

func (r *Report) whyUnchanged(name string) string {
	switch {
	case name == audioPart && r.Stage == train.AudioCaptioner:
		return "ms-swift's --freeze_vit freezes the sound encoder too (issue 9637); set --trainable_parameters thinker.audio_tower"
	case name == audioPart:
		return "it was frozen (ms-swift: --freeze_vit false; VeOmni: train.freeze_audio_tower: false), or no row had sound (ms-swift: USE_AUDIO_IN_VIDEO=true)"
	case name == visualPart:
		return "it was frozen (ms-swift: --freeze_vit false; LLaMA-Factory: freeze_vision_tower: false; VeOmni: train.freeze_vit: false), or the checkpoint is of stage 1"
	}
	return "it was frozen (ms-swift: --freeze_llm false; LLaMA-Factory: freeze_language_model: false)"
}

func whyPartly(p *modelPart) string {
	switch {
	case p.Name == audioPart && all(p.changed, "audio_tower.proj"):
		return "only the projector was trained, as with ms-swift's --freeze_vit true --freeze_aligner false; set --trainable_parameters thinker.audio_tower"
	case p.Name == visualPart && all(p.changed, "visual.merger"):
		return "only the merger was trained, as with VeOmni's train.freeze_vit: true or ms-swift's --freeze_vit true --freeze_aligner false"
	}
	return "a part of it was frozen (ms-swift: look at --trainable_parameters, --freeze_parameters and --freeze_parameters_ratio)"
}

// noteOther tells of parts without a verdict: lm_head, and those that speak (code2wav is Qwen3-Omni's).
func (r *Report) noteOther(p *modelPart) {
	switch speech := slices.Contains([]string{"talker", "token2wav", "code2wav"}, p.Name); {
	case p.Missing > 0 && p.Tensors == 0 && speech:
		r.note("%s is not in the checkpoint: trainers save the thinker; the base model's can be put beside it", p.Name)
	case p.Missing > 0:
		r.note("%s of %s: not in the checkpoint; right only if it is tied to the embedding", some(p.missing), p.Name)
	case p.New > 0 && p.Tensors == 0:
		r.note("%s is in the checkpoint alone", p.Name)
	case p.Changed > 0 && speech:
		r.note("%s changed, which neither stage trains", p.Name)
	case p.Changed == 0 && p.Name == "lm_head":
		r.note("lm_head is unchanged, though the language model is trained")
	}
}

func (r *Report) part(name string) *modelPart {
	for _, p := range r.Parts {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func (r *Report) fail(format string, args ...any) {
	r.Failures = append(r.Failures, fmt.Sprintf(format, args...))
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// all reports whether all names begin with prefix, up to a point.
func all(names []string, prefix string) bool {
	for _, name := range names {
		if name != prefix && !strings.HasPrefix(name, prefix+".") && !strings.HasPrefix(name, prefix+"_") {
			return false
		}
	}
	return len(names) > 0
}

// some names the first of a list and counts all.
func some(names []string) string {
	switch len(names) {
	case 1:
		return "1 tensor (" + names[0] + ")"
	case 2, 3:
		return fmt.Sprintf("%d tensors (%s)", len(names), strings.Join(names, ", "))
	}
	return fmt.Sprintf("%d tensors (%s, %s, ...)", len(names), names[0], names[1])
}
