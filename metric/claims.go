package metric

// The counts of claims. What an audit says of claims that were planted counts apart from what it
// says of the caption's own. Those of a cloze are of the same clip's blanks.
const (
	ClaimSupported = iota
	ClaimContradicted
	ClaimUnsupported // observers could not tell, or are divided
	ClaimUnjudged    // the calls of all its observers failed
	ClaimDisputed    // of those that are judged: some observers say yes, and some no
	ClaimUnchecked   // of the unsupported: there was no observer for it

	PlantContradicted
	PlantSupported
	PlantUnsupported
	PlantLost     // no claim of the audit repeats it
	PlantUnjudged // the audit's calls failed

	AlarmFalse // claims of captions with plants that are not planted and are contradicted
	AlarmNone  // those that are not
	AlarmUnjudged

	ClaimClozeCorrect
	ClaimClozeOther
	ClaimClozeUnjudged
	ClaimClozeNone // clips without blanks, where others have some

	OwnSupported // claims of captions that the observers who check them wrote
	OwnContradicted
	OwnUnsupported
	OwnUnjudged
)

// Claims scores the claims of captions by the judgements of observers of their clips. Precision is the
// share of supported claims among the supported and contradicted claims: claims that no observer can
// judge do not count against the caption. With the blanks of a cloze that the same captions fill
// (recall: Omni-Captioner paper, section 5) it gives F1, their harmonic mean. Planted claims measure the
// audit: the share of them that it contradicts, and the share of all other claims that it contradicts.
// If the observers also wrote the caption, its claims count separately, as consistency: observers that
// repeat themselves are not evidence of precision.
var Claims = Metric{
	Name: "claims",
	Fields: []string{"supported", "contradicted", "unsupported", "unjudged", "disputed", "unchecked",
		"planted_contradicted", "planted_supported", "planted_unsupported", "planted_lost", "planted_unjudged",
		"false_alarms", "no_alarms", "alarms_unjudged", "cloze_correct", "cloze_other", "cloze_unjudged", "cloze_none",
		"own_supported", "own_contradicted", "own_unsupported", "own_unjudged"},
	Scores: []Score{
		claimShare("precision", "precision", false, ClaimUnjudged, ClaimSupported, ClaimContradicted),
		claimShare("supported", "supported", false, ClaimUnjudged, ClaimSupported, ClaimContradicted, ClaimUnsupported),
		claimShare("contradicted", "contradicted", true, ClaimUnjudged, ClaimContradicted, ClaimSupported, ClaimUnsupported),
		claimShare("unsupported", "unsupported", true, ClaimUnjudged, ClaimUnsupported, ClaimSupported, ClaimContradicted),
		claimShare("recall", "recall (cloze)", false, ClaimClozeUnjudged, ClaimClozeCorrect, ClaimClozeOther),
		claimF1,
		claimShare("planted_found", "planted claims found", false, PlantUnjudged, PlantContradicted, PlantSupported, PlantUnsupported, PlantLost),
		claimShare("false_alarms", "false alarms", true, AlarmUnjudged, AlarmFalse, AlarmNone),
		claimShare("consistency", "consistency", false, OwnUnjudged, OwnSupported, OwnContradicted),
	},
}

// claimShare is the share of one count among it and others. unjudged is the count of those that
// could not be judged.
func claimShare(name, title string, lower bool, unjudged, part int, others ...int) Score {
	all := func(c Counts) float64 {
		n := c[part]
		for _, o := range others {
			n += c[o]
		}
		return n
	}
	return Score{Name: name, Title: title, Percent: true, Share: true, Lower: lower,
		Value: func(c Counts) (float64, bool) { return c[part] / all(c), all(c) > 0 },
		Bounds: func(c Counts) (low, high float64, ok bool) {
			n := all(c) + c[unjudged]
			return c[part] / n, (c[part] + c[unjudged]) / n, n > 0
		},
		N:        func(c Counts) int { return int(all(c)) },
		Unscored: func(c Counts) int { return int(c[unjudged]) },
	}
}

var claimF1 = Score{
	Name: "f1", Title: "F1", Percent: true, Share: true,
	Value: func(c Counts) (float64, bool) {
		return f1Of(c[ClaimSupported], c[ClaimSupported]+c[ClaimContradicted], c[ClaimClozeCorrect], c[ClaimClozeCorrect]+c[ClaimClozeOther])
	},
	Bounds: func(c Counts) (low, high float64, ok bool) {
		claims, blanks := c[ClaimSupported]+c[ClaimContradicted]+c[ClaimUnjudged], c[ClaimClozeCorrect]+c[ClaimClozeOther]+c[ClaimClozeUnjudged]
		low, ok1 := f1Of(c[ClaimSupported], claims, c[ClaimClozeCorrect], blanks)
		high, ok2 := f1Of(c[ClaimSupported]+c[ClaimUnjudged], claims, c[ClaimClozeCorrect]+c[ClaimClozeUnjudged], blanks)
		return low, high, ok1 && ok2
	},
	N: func(c Counts) int {
		if !withCloze(c) {
			return 0
		}
		return int(c[ClaimSupported] + c[ClaimContradicted] + c[ClaimClozeCorrect] + c[ClaimClozeOther])
	},
	Unscored: func(c Counts) int {
		if !withCloze(c) {
			return 0
		}
		return int(c[ClaimUnjudged] + c[ClaimClozeUnjudged])
	},
}

// withCloze reports whether the counts are of a run whose clips have blanks.
func withCloze(c Counts) bool {
	return c[ClaimClozeCorrect]+c[ClaimClozeOther]+c[ClaimClozeUnjudged]+c[ClaimClozeNone] > 0
}

// f1Of is the harmonic mean of two shares; not ok where one of them is of nothing.
func f1Of(part1, all1, part2, all2 float64) (float64, bool) {
	if all1 == 0 || all2 == 0 {
		return 0, false
	}
	p, r := part1/all1, part2/all2
	if p+r == 0 {
		return 0, true
	}
	return 2 * p * r / (p + r), true
}
