package capricorn

import (
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
)

// recordFiles are the per-unit files: ours, then the published ones, then the cases.
var recordFiles = []string{"keypoints.jsonl", "subjects.jsonl", stage1File, stage2File, bench.CasesFile}

// A keypointRecord is a line of keypoints.jsonl.
type keypointRecord struct {
	VideoID      string                  `json:"video_id"`
	Class        string                  `json:"class"` // as in the annotations, such as main_sbj_evts
	Event        string                  `json:"event"`
	Verdict      omniscope.Verdict       `json:"verdict"`
	Reason       string                  `json:"reason,omitempty"`
	Descriptions map[string]*description `json:"descriptions,omitempty"` // by subject; null = the caption leaves it out
	Quote        string                  `json:"quote,omitempty"`        // the words on which the offline reader's verdict rests
	Outcome      omniscope.Outcome       `json:"outcome"`
	Attempts     int                     `json:"attempts"`
	Repeated     bool                    `json:"repeated"` // an earlier keypoint has this text
}

// A subjectRecord is a line of subjects.jsonl.
type subjectRecord struct {
	VideoID      string           `json:"video_id"`
	Subject      string           `json:"subject"`
	Keypoints    int              `json:"keypoints"` // that name it, each text once
	Descriptions []*description   `json:"descriptions"`
	Groups       [][]*description `json:"groups"` // null if there was nothing to group or the grouping failed
	Failed       bool             `json:"failed"`
	Ref          *float64         `json:"ref"` // null where it has no score
	OfficialRef  *float64         `json:"official_ref"`
	Attempts     int              `json:"attempts"`
}

func (u *unit) records() ([][]byte, error) {
	keypoints, err := u.keypointLines()
	if err != nil {
		return nil, err
	}
	subjects, err := u.subjectLines()
	if err != nil {
		return nil, err
	}
	stage1, err := u.stage1Row()
	if err != nil {
		return nil, err
	}
	stage2, err := u.stage2Row()
	if err != nil {
		return nil, err
	}
	line, err := u.caseLine()
	return [][]byte{keypoints, subjects, stage1, stage2, line}, err
}

func (u *unit) keypointLines() ([]byte, error) {
	var out []byte
	for i, ev := range u.v.events {
		j := u.strictJudgement(i)
		text, err := line(keypointRecord{VideoID: u.v.id, Class: classes[ev.class].key, Event: ev.text, Verdict: j.verdict, Reason: j.reason,
			Descriptions: j.descriptions, Quote: j.quote, Outcome: j.outcome, Attempts: j.attempts, Repeated: u.firstEqual[i] != i})
		if err != nil {
			return nil, err
		}
		out = append(out, text...)
	}
	return out, nil
}

func (u *unit) subjectLines() ([]byte, error) {
	var out []byte
	official := u.subjectScores(published)
	for _, s := range u.subjectScores(mended) {
		r := subjectRecord{VideoID: u.v.id, Subject: s.name, Keypoints: s.keypoints, Ref: refOf(s)}
		if g := u.strict[s.name]; g != nil && u.strictSkip == nil {
			r.Descriptions, r.Failed, r.Attempts = g.descriptions, g.failed, g.attempts
			for _, c := range g.once() {
				r.Groups = append(r.Groups, c.descriptions)
			}
		}
		if i := slices.IndexFunc(official, func(o scoredSubject) bool { return o.name == s.name }); i >= 0 && u.unasked == "" && u.crash == "" {
			r.OfficialRef = refOf(official[i])
		}
		text, err := line(r)
		if err != nil {
			return nil, err
		}
		out = append(out, text...)
	}
	return out, nil
}

func refOf(s scoredSubject) *float64 {
	if !s.Scored {
		return nil
	}
	return &s.Ref
}

// verdicts returns the keypoints' verdicts by text, for comparing judges.
func (u *unit) verdicts() []bench.ItemVerdict {
	var out []bench.ItemVerdict
	for i, ev := range u.v.events {
		if u.firstEqual[i] == i {
			out = append(out, bench.ItemVerdict{Item: ev.text, Verdict: u.strictJudgement(i).verdict})
		}
	}
	return out
}

// Shorter names for the counts that are read here.
const (
	keyVideos    = metric.KeyVideos
	keyAccSum    = metric.KeyAccSum
	keyCovSum    = metric.KeyCovSum
	keyRefVideos = metric.KeyRefVideos
	keyRefSum    = metric.KeyRefSum
)
