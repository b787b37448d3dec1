// Package omniscope holds the words of the project: what is looked at (Clip), what
// a dataset asks of a model (Sample), how an answer compares with the key
// (Verdict), how a call ended (Outcome, Error) and what comes out (Score, Results).
//
// It does no I/O and imports only the standard library. To talk to a model see
// package model, to score a benchmark see package bench, to run many jobs and
// resume them see package run.
package omniscope

import "time"

// SampleID names one item of a benchmark, as its files name it.
type SampleID string

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

// A Sample is one item of a dataset: what a model is given, and what it is asked.
type Sample struct {
	ID       SampleID `json:"id"`
	Media    Media    `json:"media"`
	Prompt   string   `json:"prompt,omitempty"`   // in the dataset's words; "" = it has none, and each model is asked in its own
	Language string   `json:"language,omitempty"` // of prompt and answer, such as de
	Track    string   `json:"track,omitempty"`    // the part of the dataset, such as long
	Seconds  float64  `json:"seconds,omitempty"`  // how long the media are; 0 = the dataset does not say

	Options []string `json:"-"` // shown as A, B, C, ..., where the published scorer compares their words; nil = letters will do

	Category    string `json:"category,omitempty"`
	Subcategory string `json:"subcategory,omitempty"`
}

// Media are the files of a sample, each as the dataset names it, below the folder
// of its media; "" = there is none.
type Media struct {
	Audio string `json:"audio,omitempty"`
	Video string `json:"video,omitempty"`
	Text  string `json:"text,omitempty"` // such as a transcript
}
