package metric

// The counts of keypoints (CapRiCorn-1K, arXiv 2606.21949, section 3.2). Shares
// are a video's own, and the corpus takes their mean over videos: what adds up
// are the shares and the number of videos. The low and high sums are over all
// videos, with what could not be judged wrong, and right. A subject that is not
// scored may be consistent in fewer pairs at best than the others are: bounds
// are widened to hold the value.
const (
	KeyVideos = iota // that have a judged keypoint
	KeyAccSum
	KeyCovSum
	keyAllVideos
	keyAccLow
	keyAccHigh
	keyCovLow
	keyCovHigh
	KeyCorrect // keypoints
	KeyPartial
	KeyNotMentioned
	KeyUnjudged
	KeyRefVideos // that have a scored subject
	KeyRefSum
	keyRefAllVideos
	keyRefLow
	keyRefHigh
	keySubjects
	keyUnscoredSubjects
	keyNumFields
)

var keyFields = [keyNumFields]string{
	"videos", "acc_sum", "cov_sum", "all_videos", "acc_low", "acc_high", "cov_low", "cov_high",
	"correct", "partial", "not_mentioned", "unjudged",
	"ref_videos", "ref_sum", "ref_all_videos", "ref_low", "ref_high", "subjects", "unscored_subjects",
}

// Keypoints scores what captions say of annotated keypoints: accuracy, coverage
// and referential consistency, each a mean over videos.
var Keypoints = Metric{
	Name:   "keypoints",
	Fields: keyFields[:],
	Scores: []Score{
		{Name: "acc", Title: "Acc", Percent: true, Share: true, Value: ratio(KeyAccSum, KeyVideos),
			Bounds: between(keyAccLow, keyAccHigh, keyAllVideos, ratio(KeyAccSum, KeyVideos)), N: judgedKeypoints, Unscored: count(KeyUnjudged)},
		{Name: "cov", Title: "Cov", Percent: true, Share: true, Value: ratio(KeyCovSum, KeyVideos),
			Bounds: between(keyCovLow, keyCovHigh, keyAllVideos, ratio(KeyCovSum, KeyVideos)), N: judgedKeypoints, Unscored: count(KeyUnjudged)},
		{Name: "ref", Title: "Ref", Percent: true, Share: true, Value: ratio(KeyRefSum, KeyRefVideos),
			Bounds:   between(keyRefLow, keyRefHigh, keyRefAllVideos, ratio(KeyRefSum, KeyRefVideos)),
			N:        func(c Counts) int { return int(c[keySubjects] - c[keyUnscoredSubjects]) },
			Unscored: count(keyUnscoredSubjects)},
	},
}

func judgedKeypoints(c Counts) int {
	return int(c[KeyCorrect] + c[KeyPartial] + c[KeyNotMentioned])
}

func ratio(sum, n int) func(Counts) (float64, bool) {
	return func(c Counts) (float64, bool) { return c[sum] / c[n], c[n] > 0 }
}

// between is from one sum to another, widened to hold the value.
func between(low, high, n int, value func(Counts) (float64, bool)) func(Counts) (float64, float64, bool) {
	return func(c Counts) (float64, float64, bool) {
		from, to := c[low]/c[n], c[high]/c[n]
		if v, ok := value(c); ok {
			from, to = min(from, v), max(to, v)
		}
		return from, to, c[n] > 0
	}
}

// A KeypointTally is what became of a video's keypoints, or those of one class.
type KeypointTally struct{ Correct, Partial, NotMentioned, Unjudged int }

// Count makes the counts of one video. Unjudged keypoints are left out of its
// shares; a caller that scores them counts them as not mentioned instead.
func (k KeypointTally) Count() Counts {
	c := make(Counts, keyNumFields)
	judged := float64(k.Correct + k.Partial + k.NotMentioned)
	all := judged + float64(k.Unjudged)
	if all == 0 {
		return c
	}
	c[KeyCorrect], c[KeyPartial], c[KeyNotMentioned], c[KeyUnjudged] = float64(k.Correct), float64(k.Partial), float64(k.NotMentioned), float64(k.Unjudged)
	c[keyAllVideos] = 1
	covered := float64(k.Correct + k.Partial)
	c[keyAccLow], c[keyAccHigh] = float64(k.Correct)/all, float64(k.Correct+k.Unjudged)/all
	c[keyCovLow], c[keyCovHigh] = covered/all, (covered+float64(k.Unjudged))/all
	if judged > 0 {
		c[KeyVideos], c[KeyAccSum], c[KeyCovSum] = 1, float64(k.Correct)/judged, covered/judged
	}
	return c
}

// A SubjectScore is a subject's consistency, and between what it could lie had
// everything been judged.
type SubjectScore struct {
	Ref       float64
	Scored    bool
	Low, High float64
}

// CountSubjects adds a video's subjects to its counts.
func (c Counts) CountSubjects(subjects []SubjectScore) {
	if len(subjects) == 0 {
		return
	}
	n, scored := float64(len(subjects)), 0.0
	c[keyRefAllVideos], c[keySubjects] = 1, n
	for _, s := range subjects {
		c[keyRefLow] += s.Low / n
		c[keyRefHigh] += s.High / n
		if s.Scored {
			scored++
			c[KeyRefSum] += s.Ref
		}
	}
	c[keyUnscoredSubjects] = n - scored
	if scored > 0 {
		c[KeyRefVideos] = 1
		c[KeyRefSum] /= scored
	}
}
