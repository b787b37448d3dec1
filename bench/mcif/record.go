package mcif

import (
	"omniscope"
	"omniscope/metric"
)

// A record is a unit's line in units.jsonl.
type record struct {
	Unit       string             `json:"unit"`           // the reference's name
	Task       string             `json:"task"`           // of the reference: ASR, TRANS, QA, SUM
	Name       string             `json:"name,omitempty"` // the paper's name of the task, where the input is known
	Talk       string             `json:"talk"`
	SampleIDs  []string           `json:"sample_ids"`
	Outcome    omniscope.Outcome  `json:"outcome"`
	Missing    []string           `json:"missing,omitempty"` // samples without output
	Official   map[string]float64 `json:"official"`          // counts, without those that are 0; empty where it stops
	Strict     map[string]float64 `json:"strict"`
	WER        *float64           `json:"wer,omitempty"` // of strict scoring
	COMET      *float64           `json:"comet,omitempty"`
	BERTScore  *float64           `json:"bertscore,omitempty"`
	Symptoms   []found            `json:"symptoms,omitempty"`
	QAType     string             `json:"qa_type,omitempty"`
	QAOrigin   string             `json:"qa_origin,omitempty"`
	Hypothesis []string           `json:"hypothesis,omitempty"` // of a translation: its lines as strict cuts them
}

func (u *unit) record(e *evaluation, official, c metric.Counts) record {
	r := record{
		Unit: u.ref.IID, Task: u.ref.Task, Name: taskName(u.ref.Task, e.b.Input), Talk: u.talk, SampleIDs: u.ref.IDs, Outcome: u.outcome, Missing: u.missing,
		Official: named(official), Strict: named(c), Symptoms: u.symptoms,
		QAType: u.ref.QAType, QAOrigin: u.ref.QAOrigin, Hypothesis: u.cut.strict.lines,
	}
	if rate, ok := metric.MCIFEdits(c).Rate(); ok {
		r.WER = &rate
	}
	r.COMET = ratio(c[metric.MCIFCometSum], c[metric.MCIFLines])
	r.BERTScore = ratio(c[metric.MCIFAnswerSum]+c[metric.MCIFSummarySum], c[metric.MCIFAnswers]+c[metric.MCIFSummaries])
	return r
}

func ratio(sum, n float64) *float64 {
	if n == 0 {
		return nil
	}
	v := sum / n
	return &v
}

// named are the counts that are not 0, by name.
func named(c metric.Counts) map[string]float64 {
	out := make(map[string]float64)
	for i, name := range metric.MCIF().Fields {
		if c[i] != 0 {
			out[name] = c[i]
		}
	}
	return out
}
