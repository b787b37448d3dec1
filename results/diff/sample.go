package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"omniscope/bench/predict"
)

// A pair is two runs whose samples are followed.
type pair struct {
	a, b   *Side
	report *Report

	parameters []setting // of the runs of the model, that shape replies
	endpoints  []setting // who was asked
	readings   []setting // that shape how replies are read
	data       []setting // what answers are scored against
	judges     []setting // how they are scored
}

// A difference says that something is not the same.
type difference struct{ what, a, b string }

// sample follows a sample to the first difference.
func (p *pair) sample(id string) (parting partingSample, parts bool) {
	if inA, inB := p.a.has(id), p.b.has(id); inA != inB {
		return partingSample{Cause: Data, What: "the sample", A: there(inA), B: there(inB)}, true
	}
	x, y := p.a.prediction(id), p.b.prediction(id)
	known := x != nil && y != nil
	if known {
		parting.Answer = x.Answer != y.Answer || x.Outcome != y.Outcome
	}
	before, after := p.a.units[id], p.b.units[id]
	parting.Score = p.a.Results != nil && p.b.Results != nil && before != after
	if known {
		for _, step := range []struct {
			cause Cause
			of    func(x, y *predict.Prediction) *difference
		}{
			{Data, clips}, {FrameTimes, frameTimes}, {Pixels, pixels}, {Sound, sounds}, {Prompt, prompts},
			{Parameters, settled(p.parameters)}, {Model, p.models}, {Reply, replies}, {Reading, p.readingOf},
		} {
			if d := step.of(x, y); d != nil {
				parting.Cause, parting.What, parting.A, parting.B = step.cause, d.what, d.a, d.b
				return parting, true
			}
		}
	}
	if !parting.Score {
		return parting, false
	}
	d := p.scoring(known, before, after)
	parting.Cause, parting.What, parting.A, parting.B = d.cause, d.what, d.a, d.b
	return parting, true
}

func there(is bool) string {
	if is {
		return "is there"
	}
	return "is not there"
}

func clips(x, y *predict.Prediction) *difference {
	if a, b := x.Sent.SHA256, y.Sent.SHA256; a != b && a != "" && b != "" {
		return &difference{"SHA-256 of the file", a[:min(12, len(a))], b[:min(12, len(b))]}
	}
	if x.Sent.Letters != y.Sent.Letters {
		return &difference{"bytes of the text in place of media", fmt.Sprint(x.Sent.Letters), fmt.Sprint(y.Sent.Letters)}
	}
	return nil
}

func frameTimes(x, y *predict.Prediction) *difference {
	var none predict.SentFrames
	a, b := cmp.Or(x.Sent.Frames, &none), cmp.Or(y.Sent.Frames, &none)
	if len(a.Times) != len(b.Times) {
		return &difference{"frames", fmt.Sprint(len(a.Times)), fmt.Sprint(len(b.Times))}
	}
	for i := range a.Times {
		if a.Times[i] != b.Times[i] {
			return &difference{fmt.Sprintf("time of frame %d of %d", i+1, len(a.Times)), seconds(a.Times[i]), seconds(b.Times[i])}
		}
	}
	return nil
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) + " s" }

func pixels(x, y *predict.Prediction) *difference {
	var none predict.SentFrames
	var noFile predict.SentVideo
	a, b := cmp.Or(x.Sent.Frames, &none), cmp.Or(y.Sent.Frames, &none)
	if a.Width != b.Width || a.Height != b.Height {
		return &difference{"size of the pictures", fmt.Sprintf("%d x %d", a.Width, a.Height), fmt.Sprintf("%d x %d", b.Width, b.Height)}
	}
	if a.SHA256 != b.SHA256 && a.SHA256 != "" && b.SHA256 != "" {
		return &difference{"bytes of the pictures, of one size and time", a.SHA256[:min(12, len(a.SHA256))], b.SHA256[:min(12, len(b.SHA256))]}
	}
	if v, w := cmp.Or(x.Sent.Video, &noFile), cmp.Or(y.Sent.Video, &noFile); *v != *w {
		return &difference{"the film that was sent whole", fmt.Sprintf("%d bytes %s", v.Bytes, v.MIME), fmt.Sprintf("%d bytes %s", w.Bytes, w.MIME)}
	}
	return nil
}

func sounds(x, y *predict.Prediction) *difference {
	var none predict.SentSound
	a, b := *cmp.Or(x.Sent.Sound, &none), *cmp.Or(y.Sent.Sound, &none)
	say := func(s predict.SentSound) string {
		if s.Rate == 0 {
			return "none"
		}
		text := fmt.Sprintf("%s of %s at %d Hz", seconds(s.Seconds), cmp.Or(s.Format, "wav"), s.Rate)
		if len(s.Parts) > 1 {
			text += fmt.Sprintf(" in %d parts", len(s.Parts))
		}
		return text
	}
	switch {
	case say(a) != say(b) || !slices.Equal(a.Parts, b.Parts):
		return &difference{"sound", say(a), say(b)}
	case a.SHA256 != b.SHA256 && a.SHA256 != "" && b.SHA256 != "":
		return &difference{"bytes of the sound, of one length and rate", a.SHA256[:min(12, len(a.SHA256))], b.SHA256[:min(12, len(b.SHA256))]}
	}
	return nil
}

func prompts(x, y *predict.Prediction) *difference {
	if d := texts("the system message", x.Sent.System, y.Sent.System); d != nil {
		return d
	}
	return texts("the prompt", x.Sent.Prompt, y.Sent.Prompt)
}

// texts quotes where two texts part.
func texts(what, a, b string) *difference {
	if a == b {
		return nil
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return &difference{fmt.Sprintf("%s, from byte %d on", what, at+1), around(a, at), around(b, at)}
}

// around is a stretch of a text that begins a little before a byte.
func around(text string, at int) string {
	const before, longest = 12, 48
	from, to := max(0, at-before), min(len(text), at+longest)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	quoted := strconv.Quote(text[from:to])
	if from > 0 {
		quoted = "…" + quoted
	}
	if to < len(text) {
		quoted += "…"
	}
	return quoted
}

// settled is a step of settings that are the same for all samples.
func settled(differ []setting) func(x, y *predict.Prediction) *difference {
	return func(*predict.Prediction, *predict.Prediction) *difference {
		if len(differ) == 0 {
			return nil
		}
		first := differ[0]
		if n := len(differ) - 1; n > 0 {
			first.Name += fmt.Sprintf(" and %d more", n)
		}
		return &difference{first.Name, cmp.Or(first.A, "not set"), cmp.Or(first.B, "not set")}
	}
}

func (p *pair) models(x, y *predict.Prediction) *difference {
	if x.Model != y.Model {
		return &difference{"model, as the endpoint calls it", cmp.Or(x.Model, "no name"), cmp.Or(y.Model, "no name")}
	}
	if reply(x) != reply(y) {
		return settled(p.endpoints)(x, y)
	}
	return nil
}

func replies(x, y *predict.Prediction) *difference {
	return texts("the reply", reply(x), reply(y))
}

func reply(p *predict.Prediction) string { return cmp.Or(p.Raw, p.Answer) }

// readingOf compares what was made of the same reply.
func (p *pair) readingOf(x, y *predict.Prediction) *difference {
	because := ""
	if d := settled(p.readings)(x, y); d != nil {
		because = fmt.Sprintf(" (%s: %s and %s)", d.what, d.a, d.b)
	}
	if x.Outcome != y.Outcome {
		return &difference{"outcome of the same reply" + because, x.Outcome.String(), y.Outcome.String()}
	}
	return texts("the answer, read from the same reply"+because, x.Answer, y.Answer)
}

type scoringDifference struct {
	cause Cause
	difference
}

// scoring says why a sample was scored otherwise, whose answer is the same as far as
// that is known.
func (p *pair) scoring(known bool, before, after scored) scoringDifference {
	what, a, b := "counts", before.strict, after.strict
	if before.verdicts != after.verdicts {
		what, a, b = "verdicts", before.verdicts, after.verdicts
	} else if before.strict == after.strict {
		what, a, b = "counts of scoring official", before.official, after.official
	}
	d := scoringDifference{Judge, difference{what, short(a), short(b)}}
	for _, step := range []struct {
		cause  Cause
		differ []setting
	}{{Data, p.data}, {Judge, p.judges}} {
		if because := settled(step.differ)(nil, nil); because != nil {
			return scoringDifference{step.cause, *because}
		}
	}
	if !known && !p.sameAnswers() {
		d.cause = Unknown
	}
	return d
}

// short is the beginning of a text, for a table.
func short(text string) string {
	const longest = 80
	if len(text) <= longest {
		return text
	}
	to := longest
	for !utf8.RuneStart(text[to]) {
		to--
	}
	return text[:to] + "…"
}
