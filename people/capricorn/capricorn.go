// Package capricorn has people annotate videos as CapRiCorn-1K was (arXiv 2606.21949): subjects
// and keypoints, noted by several people who do not see each other's work, settled by seniors and a
// lead, and in the end a subset that can be seen without sound. The benchmark's files come in and out.
//
// Captions are scored on these files by package bench/capricorn, which this package does not know.
//
//	subjects (2) ─► subjects-settle ─► keypoints (3) ─► select (2) ─► consolidate ─► vision (2) ─► vision-settle
package capricorn

import (
	_ "embed"
	"encoding/json"

	"omniscope/people"
)

// name is that of this kind of work.
const name = "capricorn"

// The names of the stages.
const (
	Subjects         = "subjects"
	SubjectsSettle   = "subjects-settle"
	Keypoints        = "keypoints"
	selectStage      = "select"
	consolidateStage = "consolidate"
	visionStage      = "vision"
	visionSettle     = "vision-settle"
)

// stages are how the paper's people worked. Seniors may annotate, too: Apart keeps them from settling
// their own work.
func stages() []people.Stage {
	annotators, seniors := []people.ProjectRole{people.Annotator, people.Senior}, []people.ProjectRole{people.Senior}
	return []people.Stage{
		{Name: Subjects, Title: "Subjects", By: annotators, People: 2, LeaseMinutes: 60},
		{Name: SubjectsSettle, Title: "Settle subjects", By: seniors, People: 1, After: Subjects, Apart: []string{Subjects}, LeaseMinutes: 60},
		{Name: Keypoints, Title: "Keypoints", By: annotators, People: 3, After: SubjectsSettle, LeaseMinutes: 180},
		{Name: selectStage, Title: "Select keypoints", By: seniors, People: 2, After: Keypoints, Apart: []string{Keypoints}, LeaseMinutes: 180},
		{Name: consolidateStage, Title: "Consolidate keypoints", By: []people.ProjectRole{people.Lead}, People: 1, After: selectStage, Apart: []string{Keypoints}, LeaseMinutes: 180},
		{Name: visionStage, Title: "What can be seen without sound", By: annotators, People: 2, After: consolidateStage, Sound: people.Muted, LeaseMinutes: 60},
		{Name: visionSettle, Title: "Settle what can be seen", By: seniors, People: 1, After: visionStage, Apart: []string{visionStage}, Sound: people.Muted, LeaseMinutes: 60},
	}
}

//go:embed guideline.md
var guideline string

// Kind is this kind of work.
var Kind = people.ByStage(people.Kind{
	Info: people.Info{
		Name:  name,
		About: "Annotate subjects and keypoints of videos, as for CapRiCorn-1K",
		Long: `For each video, two people list the subjects and a senior settles; three people note about 40 keypoints each;
two seniors choose among them; a lead settles and words them. Two people then say which keypoints can be seen
without sound, and a senior settles. Give the videos with --clips, or released annotations with --annotations
(nobody annotates those again; what can be seen is still asked, unless --vision-only says it).`,
		Examples: `  omniscope people new capricorn keypoints --clips clips.jsonl
  omniscope people new capricorn keypoints --clips clips --drafts investigated
  omniscope people new capricorn vision --annotations annotations.jsonl`,
	},
	Maker: func() people.Maker { return newMaker() },
	Exports: []people.Export{
		{Name: "annotations", File: "annotations.jsonl", About: "final keypoints, in the released form", Write: writeAnnotations, LeftOut: unfinishedVideos},
		{Name: "vision-only", File: "annotations_vision_only.jsonl", About: "final keypoints that are visible without sound, in the released form", Write: writeVision, LeftOut: unseenVideos},
		{Name: "provenance", File: "provenance.jsonl", About: "who proposed, chose and changed each final keypoint, with the events of the log", Write: writeProvenance},
	},
	Tables: tables,
}, videoOf, map[string]people.StageWork[video]{
	Subjects:         {Form: ofEarlier(subjectsForm), Complete: checkSubjects},
	SubjectsSettle:   {Form: ofEarlier(settleSubjectsForm), Complete: checkSubjects, Skip: func(c *people.WorkItem, _ *video) (bool, error) { return sameNames(c.At(Subjects)), nil }},
	Keypoints:        {Form: func(c *people.WorkItem, v *video) (*people.Form, error) { return keypointsForm(c, v), nil }, Complete: checkNoted},
	selectStage:      {Form: ofEarlier(selectForm), Complete: checkKept},
	consolidateStage: {Form: ofEarlier(consolidateForm), Complete: checkFinal},
	visionStage:      {Form: ofEarlier(visionForm)},
	visionSettle: {Form: ofEarlier(settleVisionForm), Skip: func(c *people.WorkItem, _ *video) (bool, error) {
		return len(disputedVision(c.At(visionStage))) == 0, nil
	}},
})

// ofEarlier is a form of earlier work alone.
func ofEarlier(form func(*people.WorkItem) *people.Form) func(*people.WorkItem, *video) (*people.Form, error) {
	return func(c *people.WorkItem, _ *video) (*people.Form, error) { return form(c), nil }
}

// A video is what an item holds.
type video struct {
	Fields []field `json:"fields"` // of its row in the official files, in their order, without the keypoints
	Drafts []draft `json:"drafts,omitempty"`
}

// A field is a field of a row.
type field struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

var videoOf = people.Payload[video]("video")
