package omnicloze

import (
	"fmt"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/jsonfast"
	"omniscope/metric"
)

// A unit collects the judge's answer about one caption and turns it into counts.
type unit struct {
	uuid, clip            string
	category, subcategory string
	blanks                []gold
	caption               presence

	unasked     bool              // no call was made: there was nothing to ask about
	attempts    int               // calls of the judge
	outcome     omniscope.Outcome // of the last attempt
	answered    bool              // the first attempt brought a reply
	official    reply             // the first reply, read as the released scorer does
	officialOK  bool
	contradicts bool  // the letters and the words of the first reply
	strict      reply // the usable reply; nil = no reply was usable

	parser *parser // memory of the row; nil = the row is not in memory, see load
	item   *item
	text   *string // the caption

	verdicts [2][]omniscope.Verdict // by scoring and blank
	forced   bool                   // official reads "not given" for every blank
	diffs    []bench.UnitDifference
	warnings []string
}

// A gold is what scoring needs to know of a blank.
type gold struct {
	number   int
	key      string
	modality omniscope.Modality
	problem  error // why strict cannot score it
}

// A presence says whether there is a caption.
type presence uint8

const (
	present presence = iota
	empty
	absent
)

func newUnit(it *item, caption *string) *unit {
	u := &unit{uuid: it.uuid, clip: it.clip, category: it.category, subcategory: it.subcategory, blanks: make([]gold, len(it.blanks))}
	for i := range it.blanks {
		b := &it.blanks[i]
		u.blanks[i] = gold{number: b.number, key: b.key, modality: b.modality, problem: b.scorable()}
	}
	switch {
	case caption == nil:
		u.caption = absent
	case *caption == "":
		u.caption = empty
	}
	return u
}

// computeVerdicts computes each blank's verdict in both scorings.
func (u *unit) computeVerdicts() {
	n := len(u.blanks)
	u.verdicts[bench.Official], u.verdicts[bench.Strict] = make([]omniscope.Verdict, n), make([]omniscope.Verdict, n)
	switch {
	case u.caption == absent:
		u.outcome = omniscope.Missing
		u.strict = nil
		u.differ("sample without a caption", n, u.officialWithoutCaption(), "left unjudged")
	case u.caption == empty:
		u.outcome = omniscope.Abstained
		u.strict = allNotGiven(n)
		u.differ("empty caption", n, u.officialWithoutCaption(), "not given, without asking the judge")
	}
	u.computeOfficial()
	u.computeStrict()
	if u.caption == present {
		u.addDifferences()
	}
}

func (u *unit) officialWithoutCaption() string {
	if u.unasked {
		return "asks the judge, but only in a run with --scoring official"
	}
	return "asks the judge about it as about any other"
}

func allNotGiven(n int) reply {
	r := make(reply, n)
	for i := range r {
		r[i].letter = 'E'
	}
	return r
}

// computeOfficial compares as the released scorer does: blanks without a reply
// or a key are left out, an unusable reply is "not given" throughout.
func (u *unit) computeOfficial() {
	if !u.answered {
		return
	}
	chosen := u.official
	if !u.officialOK {
		u.forced = true
		chosen = allNotGiven(len(u.blanks))
	}
	for i, b := range u.blanks {
		if b.key != "" {
			u.verdicts[bench.Official][i] = verdict(chosen[i].letter, b.key)
		}
	}
}

func (u *unit) computeStrict() {
	unscorable := 0
	for i, b := range u.blanks {
		if b.problem != nil {
			unscorable++
			u.warnings = append(u.warnings, fmt.Sprintf("uuid %s, blank %d is not scored: %v", u.uuid, b.number, b.problem))
			continue
		}
		if u.strict != nil {
			u.verdicts[bench.Strict][i] = verdict(u.strict[i].letter, b.key)
		}
	}
	u.differ("blank without options or with a key outside A to D", unscorable, "compared as it stands; left out when the key is empty", "left unjudged")
}

// addDifferences records where the scorings read the same replies differently.
func (u *unit) addDifferences() {
	switch n := len(u.blanks); {
	case !u.answered && u.strict != nil:
		u.differ("first call failed, asked again", n, "left out", "the later reply counts")
	case !u.answered:
	case u.officialOK:
		u.addDoubts(n)
	case u.strict == nil:
		u.differ("no usable reply", n, "not given for every blank", "left unjudged")
	case u.attempts > 1:
		u.differ("first reply unusable, asked again", n, "not given for every blank", "the repaired reply counts")
	default:
		u.differ("reply not in the published form, but clear", n, "not given for every blank", "read as it was meant")
	}
}

// addDoubts records why strict does not take a reply that official reads.
func (u *unit) addDoubts(n int) {
	what, official := "blank answered twice", "the last answer counts"
	if u.contradicts {
		what, official = "letter and words contradict", "the letter counts"
	}
	switch {
	case u.strict == nil:
		u.differ(what+", no usable reply", n, official, "left unjudged")
	case u.contradicts || u.attempts > 1:
		u.differ(what+", asked again", n, official, "the repaired reply counts")
	}
}

func (u *unit) differ(what string, items int, official, strict string) {
	if items > 0 {
		u.diffs = append(u.diffs, bench.UnitDifference{What: what, Official: official, Strict: strict, Items: items})
	}
}

func verdict(letter byte, key string) omniscope.Verdict {
	switch {
	case string(letter) == key:
		return omniscope.Correct
	case string(letter) == notGiven:
		return omniscope.NotGiven
	}
	return omniscope.Wrong
}

func (u *unit) result(caseLine []byte) *bench.Result {
	r := &bench.Result{Unit: u.uuid, Cluster: u.clip, Outcome: u.outcome,
		Records: [][]byte{u.records(), caseLine}, Verdicts: u.itemVerdicts(), Differences: u.diffs, Warnings: u.warnings}
	r.Tallies[bench.Official] = u.tallies(bench.Official)
	if r.Tallies[bench.Strict] = r.Tallies[bench.Official]; u.forced || !slices.Equal(u.verdicts[bench.Official], u.verdicts[bench.Strict]) {
		r.Tallies[bench.Strict] = u.tallies(bench.Strict)
	}
	return r
}

// itemVerdicts are the verdicts of strict scoring, by the blank's number.
func (u *unit) itemVerdicts() []bench.ItemVerdict {
	out := make([]bench.ItemVerdict, len(u.blanks))
	for i, b := range u.blanks {
		out[i] = bench.ItemVerdict{Item: strconv.Itoa(b.number), Verdict: u.verdicts[bench.Strict][i]}
	}
	return out
}

// tallies counts the blanks by slice: the whole, each modality, and the row's
// category and sub-category.
func (u *unit) tallies(p bench.Scoring) []bench.Tally {
	const most = 8 // three modalities, a category, a sub-category, the whole, and room
	out := make([]bench.Tally, 0, most)
	memory := make(metric.Counts, 0, most*len(metric.Cloze.Fields))
	add := func(dimension, group string, v omniscope.Verdict) {
		i := slices.IndexFunc(out, func(t bench.Tally) bool { return t.Dimension == dimension && t.Group == group })
		if i < 0 {
			i = len(out)
			start := len(memory)
			memory = append(memory, make(metric.Counts, len(metric.Cloze.Fields))...)
			out = append(out, bench.Tally{Dimension: dimension, Group: group, Counts: memory[start:len(memory):len(memory)]})
		}
		metric.CountCloze(out[i].Counts, v, p == bench.Official && u.forced && v == omniscope.NotGiven)
	}
	for i, b := range u.blanks {
		v := u.verdicts[p][i]
		add("overall", "", v)
		add("modality", orUnknown(string(b.modality)), v)
		add("category", orUnknown(u.category), v)
		add("subcategory", orUnknown(u.subcategory), v)
	}
	return out
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// records writes the unit's lines of blanks.jsonl. They are written by hand: a
// large run has millions.
func (u *unit) records() []byte {
	size := 0
	for i := range u.blanks {
		_, text := u.shownChoice(i)
		size += 240 + len(u.uuid) + len(u.category) + len(u.subcategory) + len(text)*17/16
	}
	out := make([]byte, 0, size)
	for i, b := range u.blanks {
		out = append(out, `{"uuid":`...)
		out = jsonfast.Append(out, u.uuid)
		out = append(out, `,"number":`...)
		out = strconv.AppendInt(out, int64(b.number), 10)
		out = appendField(out, "modality", string(b.modality))
		out = appendField(out, "category", u.category)
		out = appendField(out, "subcategory", u.subcategory)
		out = appendField(out, "answer_key", b.key)
		letter, text := u.shownChoice(i)
		out = appendField(out, "judged", letter)
		out = appendField(out, "judge_text", text)
		out = appendField(out, "strict", u.verdicts[bench.Strict][i].String())
		out = appendField(out, "official", u.verdicts[bench.Official][i].String())
		out = appendField(out, "outcome", u.outcome.String())
		out = append(out, "}\n"...)
	}
	return out
}

// shownChoice returns the letter and words that strict counts, or official's if
// strict has none.
func (u *unit) shownChoice(i int) (letter, text string) {
	r := u.readable()
	if r == nil {
		return "", ""
	}
	return string(r[i].letter), r[i].text
}

// readable is the reply that strict counts, else the one that official counts; nil = no profile can read a reply.
func (u *unit) readable() reply {
	if u.strict == nil && u.officialOK {
		return u.official
	}
	return u.strict
}

func appendField(out []byte, name, value string) []byte {
	out = append(append(append(out, ',', '"'), name...), '"', ':')
	return jsonfast.Append(out, value)
}
