package mcif

import (
	"cmp"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
	"omniscope/metric/textnorm"
)

// strictCounts score what is there: a unit that cannot be scored is counted as
// such, and takes no other with it.
func (e *evaluation) strictCounts(u *unit) metric.Counts {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case !u.scorable:
	case u.ref.Task == asr:
		return editCounts(u.asr.edits)
	case u.ref.Task == trans && u.comet[bench.Strict] != nil:
		return lineCounts(u.comet[bench.Strict])
	case u.similarity != nil:
		return similarityCounts(u.ref.Task, u.similarity.Alone())
	}
	return u.unscored(e)
}

// differAsFiles names what the files have that official stops at as a whole. A
// file that had to be mended touches all that is scored. What has no name is no
// unit and is reported with the first.
func (e *evaluation) differAsFiles(u *unit) {
	if e.files.mended(e.b.Modality) {
		u.differ("samples of files that are not well-formed XML", 1, "stops: no score at all", "read as far as possible, and scored")
	}
	if u != e.units[0] {
		return
	}
	if n := e.files.withoutID(); n > 0 {
		u.differ("outputs without an id", n, "stops: no score at all", "left out")
	}
	if n := e.files.refs.LeftOut(e.b.Modality); n > 0 {
		u.differ("references without id, iid or task", n, "stops: no score at all", "left out")
	}
}

// unscored counts what of a unit should have been scored and was not.
func (u *unit) unscored(e *evaluation) metric.Counts {
	c := newCounts()
	switch u.ref.Task {
	case qa:
		c[metric.MCIFUnscoredAnswers] = 1
	case sum:
		c[metric.MCIFUnscoredSummaries] = 1
	case trans:
		c[metric.MCIFUnscoredLines] = float64(len(u.lines()))
	case asr:
		text, err := e.scorers.Normalize(e.b.Lang, u.ref.Text)
		if err != nil {
			text = u.ref.Text
		}
		c[metric.MCIFUnscoredWords] = float64(len(textnorm.Words(text)))
	}
	return c
}

// judgeStrictly sets the unit's outcome, and says how official treats what is
// no plain answer.
func (u *unit) judgeStrictly(e *evaluation) {
	u.outcome, u.scorable = omniscope.OK, true
	if u.place == replaced {
		u.differ("references of which a later one has the name", 1, "the later one counts in its place", "each is scored")
	}
	u.failStrictly()
	if u.scorable && u.empty() {
		u.outcome = omniscope.Abstained // and scored: all its words are missing
	}
	if u.ref.Task == trans && u.scorable {
		if u.cut.official.err != nil {
			u.differ("translations that mwerSegmenter cannot cut", 1, "stops: no score at all", "lines without text stay empty")
		} else if n := u.cut.differing(); n > 0 {
			u.differ("lines of translations that are cut otherwise", n, "as mwerSegmenter does", "the hypothesis keeps its blanks, and one without text gives empty lines")
		}
	}
}

// failStrictly leaves a unit unscored that cannot be scored, for the first of the reasons.
func (u *unit) failStrictly() {
	similarity := slices.Contains([]string{qa, sum}, u.ref.Task)
	switch {
	case len(u.missing) > 0:
		u.fail(omniscope.Missing, "samples without an output", len(u.missing), "stops: no score at all")
	case len(u.clashing) > 0:
		u.fail(omniscope.Unparsed, "samples with several outputs that differ", len(u.clashing), "the last one in the file counts")
	case similarity && len(u.ref.IDs) != 1:
		u.fail(omniscope.Unparsed, "answers made of several samples", 1, "stops: no score at all")
	case !u.ref.HasText:
		u.fail(omniscope.Missing, "samples without a reference", 1, "stops: no score at all")
	case textnorm.Strip(u.ref.Text) == "":
		u.fail(omniscope.Missing, "references of blanks", 1, "answers and summaries are scored against nothing; stops for others")
	case u.ref.Task == asr && u.asr.trouble() != nil:
		u.fail(omniscope.Unparsed, "talks whose words cannot be aligned", 1, "stops: "+cmp.Or(reasonOf(u.asr.trouble()), "no reason given"))
	case u.ref.Task == trans && len(u.lines()) != len(u.sources()):
		u.fail(omniscope.Missing, "talks whose transcript and translation have different numbers of lines", 1, "stops: no score at all")
	case u.ref.Task == trans && u.cut.strict.err != nil:
		u.fail(omniscope.Unparsed, "talks that cannot be cut into lines", 1, "stops: "+reasonOf(u.cut.strict.err))
	case similarity && u.empty():
		u.fail(omniscope.Abstained, "empty answers or summaries", 1, "similarity 0 before rescaling, and so far below 0 after it")
	}
}

// fail leaves the unit unscored in strict scoring.
func (u *unit) fail(o omniscope.Outcome, what string, items int, official string) {
	u.outcome, u.scorable = o, false
	u.differ(what, items, official, "left unscored: "+o.String())
}

func (u *unit) differ(what string, items int, official, strict string) {
	u.differences = append(u.differences, bench.UnitDifference{What: what, Items: items, Official: official, Strict: strict})
}
