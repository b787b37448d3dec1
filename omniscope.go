// Package omniscope holds the words of the project: what is looked at (Clip,
// Sample, Question), what a system says of it (Prediction), what a judge says
// of that (Judgement, Verdict, Outcome) and what comes out (Score, Error).
//
// It does no I/O and imports only the standard library. To talk to a model see
// package model, to score a benchmark see package bench, to run many jobs and
// resume them see package run.
package omniscope

import "time"

// SampleID names one item of a benchmark, as its files name it.
type SampleID string

// QuestionID names one question of a sample, unique within the benchmark.
type QuestionID string

// ClipID names a media file or a stretch of one.
type ClipID string

// Modality says which sense a question needs.
type Modality string

// The modalities, spelled as the benchmarks spell them.
const (
	Audio       Modality = "audio"
	Visual      Modality = "visual"
	AudioVisual Modality = "audio-visual"
)

// A Span is a stretch of media time. A zero End means "to the end".
type Span struct {
	Start, End time.Duration
}

// A Clip is a media file or a stretch of one.
type Clip struct {
	ID   ClipID
	Path string
	Span Span
}

// A Sample is one item of a benchmark.
type Sample struct {
	ID          SampleID
	Clip        Clip
	Category    string
	Subcategory string
}

// A Question is one thing that is checked: a cloze blank, a keypoint, a QA item.
type Question struct {
	ID       QuestionID
	Sample   SampleID
	Modality Modality
	Subjects []string // who or what it is about, where the benchmark says so
}

// A Prediction is what one system answered to one sample. Its text is
// meaningful only when Outcome is OK.
type Prediction struct {
	Sample  SampleID
	System  string
	Text    string
	Outcome Outcome
}

// A Judgement is what one judge, a model or a person, said of one question.
type Judgement struct {
	Question QuestionID
	Judge    string
	Verdict  Verdict
	Outcome  Outcome
	Answer   string // the judge's answer in the benchmark's own letters
	Text     string // the judge's words for it
	Note     string // why a verdict is not the plain reading of the answer
}
