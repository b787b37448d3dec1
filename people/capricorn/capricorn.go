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

	"omniscope"
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
type Kind struct{}

var (
	_ people.Kind    = Kind{}
	_ people.Skipper = Kind{}
	_ people.Tabler  = Kind{}
)

// Info implements people.Kind.
func (Kind) Info() people.Info {
	return people.Info{
		Name:  name,
		About: "subjects and keypoints of videos, as for CapRiCorn-1K",
		Long: `For each video, two people list the subjects and a senior settles; three people note about 40 keypoints each;
two seniors choose among them; a lead settles and words them. Two people then say which keypoints can be seen
without sound, and a senior settles. Give the videos with --clips, or released annotations with --annotations
(nobody annotates those again; what can be seen is still asked, unless --vision-only says it).`,
		Examples: `  omniscope people new capricorn keypoints --clips clips.jsonl
  omniscope people new capricorn keypoints --clips clips --drafts investigated
  omniscope people new capricorn vision --annotations annotations.jsonl`,
	}
}

// Form implements people.Kind.
func (Kind) Form(c *people.WorkItem) (*people.Form, error) {
	switch c.Stage.Name {
	case Subjects:
		return subjectsForm(), nil
	case SubjectsSettle:
		return settleSubjectsForm(c), nil
	case Keypoints:
		return keypointsForm(c)
	case selectStage:
		return selectForm(c), nil
	case consolidateStage:
		return consolidateForm(c), nil
	case visionStage:
		return visionForm(c), nil
	case visionSettle:
		return settleVisionForm(c), nil
	}
	return nil, noStage(c)
}

// Complete implements people.Kind.
func (k Kind) Complete(c *people.WorkItem, answers map[string]people.Value) error {
	form, err := k.Form(c)
	if err != nil {
		return err
	}
	switch c.Stage.Name {
	case Subjects, SubjectsSettle:
		return checkSubjects(answers)
	case Keypoints:
		return firstError(checkSources(form, answers), checkKeypoints(pointsIn(answers), subjectsAfter(c)))
	case selectStage:
		points, err := keptAnswers(answers)
		return firstError(err, checkSources(form, answers), checkKeypoints(points, subjectsAfter(c)))
	case consolidateStage:
		points, subjects := pointsIn(answers), subjectsLeft(c, answers)
		return firstError(checkSources(form, answers), checkKeypoints(points, subjects), checkTwoEach(points, subjects))
	}
	return nil
}

// Skip implements people.Skipper: settling is skipped where people agree.
func (Kind) Skip(c *people.WorkItem) (bool, error) {
	switch c.Stage.Name {
	case SubjectsSettle:
		return sameNames(c.At(Subjects)), nil
	case visionSettle:
		return len(disputedVision(c.At(visionStage))) == 0, nil
	}
	return false, nil
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

// videoOf reads the video of an item.
func videoOf(item *people.Item) (*video, error) { return people.Payload[video](item, "video") }

func noStage(c *people.WorkItem) error {
	return omniscope.Invalidf("the project has a stage %q, which this version does not know", c.Stage.Name)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
