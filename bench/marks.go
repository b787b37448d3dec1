package bench

import (
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

// manyMissing is the share of samples without an answer, or without a judgement, beyond which
// scores are marked. Fewer are counted and shown next to the scores.
const manyMissing = 0.05

// Mark lists the differences from a complete run on the published data: a part of the samples, other
// data, many samples without an answer or a judgement, and a judge that failed its examination. Everything that prints a score prints
// Results.Marks, too.
func Mark(r *document.Results) {
	r.Marks = []string{}
	add := func(parts ...string) { r.Marks = append(r.Marks, strings.Join(parts, " ")) }
	size, all := quantity.Grouped(r.Samples), quantity.Grouped(r.Data.Samples)
	if r.Data.Samples > r.Samples {
		add(size, "of", all, "samples")
	}
	state, of, foreign := DataOf(r)
	switch {
	case state != OtherData:
	case foreign != "":
		add("the data are from", foreign)
	case of.Samples > 0:
		add("not the published data, which have", quantity.Grouped(of.Samples), "samples")
	default:
		add("not the published data")
	}
	missing, unjudged := Lacking(r)
	if Many(missing, r.Samples) {
		add(quantity.Grouped(missing), "of", size, "samples without an answer")
	}
	if Many(unjudged, r.Samples) {
		add(quantity.Grouped(unjudged), "of", size, "samples without a judgement")
	}
	if failed := FailedExam(&r.Judge); failed != "" {
		add(failed)
	}
}

// Lacking counts the samples without an answer, and the samples with an answer but without a
// judgement, pending ones included.
func Lacking(r *document.Results) (missing, unjudged int) {
	for _, o := range []omniscope.Outcome{omniscope.Failed, omniscope.Refused, omniscope.Unparsed, omniscope.Truncated, omniscope.Pending} {
		unjudged += r.Outcomes[o.String()]
	}
	return r.Outcomes[omniscope.Missing.String()], unjudged
}

// Many reports whether too many samples are missing for the others to represent all.
func Many(missing, samples int) bool { return float64(missing) > manyMissing*float64(samples) }
