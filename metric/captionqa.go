package metric

// The counts of questions that a caption is to answer (VDC, AuroraCap, arXiv 2410.03051).
// Shares and scores are a video's own, and the corpus takes their mean over videos. The low and
// high sums are over all videos, with what could not be judged wrong with score 0, and right
// with score 5.
const (
	captionQAVideos = iota // that have a judged question
	captionQAAccSum
	captionQAScoreSum
	captionQAAllVideos
	captionQAAccLow
	captionQAAccHigh
	captionQAScoreLow
	captionQAScoreHigh
	captionQAYes // questions
	captionQANo
	captionQAUnjudged
	captionQANumFields
)

// TopCaptionQAScore is the best score of an answer; the worst is 0.
const TopCaptionQAScore = 5

// CaptionQA scores the answers that captions give to questions: the share that is right, and a
// score from 0 to 5, each a mean over videos.
var CaptionQA = Metric{
	Name:   "caption-qa",
	Fields: []string{"videos", "acc_sum", "score_sum", "all_videos", "acc_low", "acc_high", "score_low", "score_high", "yes", "no", "unjudged"},
	Scores: []Score{
		{Name: "accuracy", Title: "accuracy", Percent: true, Share: true, Value: ratio(captionQAAccSum, captionQAVideos),
			Bounds: between(captionQAAccLow, captionQAAccHigh, captionQAAllVideos, ratio(captionQAAccSum, captionQAVideos)), N: judgedCaptionQA, Unscored: count(captionQAUnjudged)},
		{Name: "score", Title: "score, 0 to 5", Digits: 2, Value: ratio(captionQAScoreSum, captionQAVideos),
			Bounds: between(captionQAScoreLow, captionQAScoreHigh, captionQAAllVideos, ratio(captionQAScoreSum, captionQAVideos)), N: judgedCaptionQA, Unscored: count(captionQAUnjudged)},
	},
}

func judgedCaptionQA(c Counts) int { return int(c[captionQAYes] + c[captionQANo]) }

// A CaptionQATally is what became of a video's questions, or those of one category.
type CaptionQATally struct {
	Yes, No, Unjudged int
	Score             float64 // sum over the judged ones
}

// Count makes the counts of one video. Unjudged questions are left out of its means.
func (q CaptionQATally) Count() Counts {
	c := make(Counts, captionQANumFields)
	judged, unjudged := float64(q.Yes+q.No), float64(q.Unjudged)
	all := judged + unjudged
	if all == 0 {
		return c
	}
	c[captionQAYes], c[captionQANo], c[captionQAUnjudged] = float64(q.Yes), float64(q.No), unjudged
	c[captionQAAllVideos] = 1
	c[captionQAAccLow], c[captionQAAccHigh] = float64(q.Yes)/all, (float64(q.Yes)+unjudged)/all
	c[captionQAScoreLow], c[captionQAScoreHigh] = q.Score/all, (q.Score+TopCaptionQAScore*unjudged)/all
	if judged > 0 {
		c[captionQAVideos], c[captionQAAccSum], c[captionQAScoreSum] = 1, float64(q.Yes)/judged, q.Score/judged
	}
	return c
}
