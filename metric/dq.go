package metric

// DQSources are the sources of DREAM-1K's clips, of which the overall scores are means.
var DQSources = []string{"movie_animation", "movie_live_action", "vertical_video", "videvo", "youtube"}

// The counts of one source: clips whose recall, or precision, is scored, their sum, and the
// clips that should be scored.
const (
	DQRecallClips = iota
	dqRecallSum
	dqRecallAll
	DQPrecisionClips
	dqPrecisionSum
	dqPrecisionAll
	dqPerSource
)

// DQAt is the place of a source's count.
func DQAt(source, count int) int { return source*dqPerSource + count }

func dqFields() (fields []string) {
	for _, s := range DQSources {
		for _, name := range []string{"recall_clips", "recall_sum", "recall_all", "precision_clips", "precision_sum", "precision_all"} {
			fields = append(fields, s+"_"+name)
		}
	}
	return fields
}

// DQ scores the events that captions tell (AutoDQ, DREAM-1K, arXiv 2407.00634): recall and
// precision of a clip are shares of events that the other text entails. Those of a source are
// means over its clips, the whole is the mean over the sources, and F1 is that of the two
// means.
var DQ = Metric{
	Name:   "dq",
	Fields: dqFields(),
	Scores: []Score{
		{Name: "f1", Title: "F1", Percent: true, Share: true, Value: dqF1(dqMean(dqRecall, dqOver), dqMean(dqPrecision, dqOver)),
			Bounds: func(c Counts) (low, high float64, ok bool) {
				low, ok1 := dqF1(dqMean(dqRecall, dqLow), dqMean(dqPrecision, dqLow))(c)
				high, ok2 := dqF1(dqMean(dqRecall, dqHigh), dqMean(dqPrecision, dqHigh))(c)
				return low, high, ok1 && ok2
			}, N: dqClips(dqRecall), Unscored: dqUnscored(dqRecall)},
		dqScore("recall", "recall", dqRecall),
		dqScore("precision", "precision", dqPrecision),
	},
}

// Where the counts of recall and of precision begin.
const (
	dqRecall    = DQRecallClips
	dqPrecision = DQPrecisionClips
)

func dqScore(name, title string, at int) Score {
	return Score{Name: name, Title: title, Percent: true, Share: true, Value: dqMean(at, dqOver),
		Bounds: func(c Counts) (low, high float64, ok bool) {
			low, ok = dqMean(at, dqLow)(c)
			high, _ = dqMean(at, dqHigh)(c)
			return low, high, ok
		}, N: dqClips(at), Unscored: dqUnscored(at)}
}

// Of clips, their sum and all clips of a source: the mean, and that with what is not scored
// as bad, and as good, as can be.
func dqOver(clips, sum, _ float64) (float64, float64)   { return sum, clips }
func dqLow(_, sum, all float64) (float64, float64)      { return sum, all }
func dqHigh(clips, sum, all float64) (float64, float64) { return sum + all - clips, all }

// dqMean is the mean over the sources that have anything.
func dqMean(at int, of func(clips, sum, all float64) (sum2, n float64)) func(Counts) (float64, bool) {
	return func(c Counts) (float64, bool) {
		total, sources := 0.0, 0.0
		for s := range DQSources {
			if sum, n := of(c[DQAt(s, at)], c[DQAt(s, at+1)], c[DQAt(s, at+2)]); n > 0 {
				total, sources = total+sum/n, sources+1
			}
		}
		return total / sources, sources > 0
	}
}

func dqF1(recall, precision func(Counts) (float64, bool)) func(Counts) (float64, bool) {
	return func(c Counts) (float64, bool) {
		r, ok1 := recall(c)
		p, ok2 := precision(c)
		if r+p == 0 {
			return 0, ok1 && ok2
		}
		return 2 * r * p / (r + p), ok1 && ok2
	}
}

func dqClips(at int) func(Counts) int {
	return func(c Counts) int { return int(dqTotal(c, at)) }
}

func dqUnscored(at int) func(Counts) int {
	return func(c Counts) int { return int(dqTotal(c, at+2) - dqTotal(c, at)) }
}

func dqTotal(c Counts, count int) (sum float64) {
	for s := range DQSources {
		sum += c[DQAt(s, count)]
	}
	return sum
}
