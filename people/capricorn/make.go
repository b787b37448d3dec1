package capricorn

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/media"
	"omniscope/people"
)

// A maker makes projects of this kind.
type maker struct {
	Clips       string // list of videos, or folder with them
	Annotations string // released annotations.jsonl
	VisionOnly  string // released annotations_vision_only.jsonl
	Drafts      string // folder with results of `omniscope caption`

	// Seconds measures a file of a folder; nil = durations have to be in a list, or in the drafts.
	Seconds func(ctx context.Context, file string) (float64, error)
}

// newMaker returns a maker without files.
func newMaker() *maker { return &maker{Seconds: seconds} }

// seconds measures a file.
func seconds(ctx context.Context, file string) (float64, error) {
	f, err := media.Probe(ctx, file)
	if err != nil {
		return 0, err
	}
	return f.End().Seconds(), nil
}

// Options implements people.Maker.
func (m *maker) Options() []bench.Option {
	return []bench.Option{
		{Name: "clips", Value: bench.Text(&m.Clips), Path: true, Help: "videos to annotate: JSON Lines with video_id, duration (seconds) and media (the file),\nor a folder with video files"},
		{Name: "annotations", Value: bench.Text(&m.Annotations), Path: true, Help: "released annotations.jsonl: final keypoints, which nobody annotates again"},
		{Name: "vision-only", Value: bench.Text(&m.VisionOnly), Path: true, Help: "released annotations_vision_only.jsonl: which of them can be seen without sound"},
		{Name: "drafts", Value: bench.Text(&m.Drafts), Path: true, Help: "folder with results of 'omniscope caption': sentences are proposed as keypoints"},
	}
}

// importer is the person of work that was done elsewhere.
const importer = "import"

// A film is a video of the project that is to be made.
type film struct {
	id       string
	place    string // file and line where it stands, for errors
	fields   []field
	media    string // "" = none
	drafts   []draft
	imported *importedRow // nil = it is to be annotated
}

// Make implements people.Maker.
func (m *maker) Make(ctx context.Context) (*people.Plan, error) {
	switch {
	case m.Clips == "" && m.Annotations == "":
		return nil, omniscope.Usagef("name the videos with --clips FILE or FOLDER, or released annotations with --annotations FILE")
	case m.VisionOnly != "" && m.Annotations == "":
		return nil, omniscope.Usagef("--vision-only says which keypoints of --annotations can be seen: give those, too")
	case m.Drafts != "" && m.Clips == "":
		return nil, omniscope.Usagef("--drafts proposes keypoints of --clips: give those, too")
	}
	p := &making{films: make(map[string]*film)}
	for _, read := range []func(context.Context, *maker) error{p.readDrafts, p.readClips, p.readAnnotations, p.readVision} {
		if err := read(ctx, m); err != nil {
			return nil, err
		}
	}
	if err := p.giveDrafts(m.Drafts); err != nil {
		return nil, err
	}
	return &people.Plan{
		Project:  people.Project{Kind: name, Title: "Keypoints", Guideline: guideline, Stages: stages()},
		Items:    people.MadeItems(len(p.order), func(i int) (*people.Item, any, error) { return p.films[p.order[i]].item() }),
		Done:     p.done(),
		Warnings: p.warnings,
	}, nil
}

// A making is what is read of the files.
type making struct {
	films    map[string]*film
	order    []string
	reports  map[string]*report // of investigations, by video; those that are used are removed
	warnings []string
}

func (p *making) warn(format string, args ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf(format, args...))
}

func (p *making) add(f *film) {
	p.films[f.id] = f
	p.order = append(p.order, f.id)
}

func (f *film) item() (*people.Item, any, error) {
	item := &people.Item{ID: f.id, Clip: f.id}
	if f.media != "" {
		item.Media = []people.Media{{File: f.media}}
	}
	if f.imported != nil {
		item.People = map[string]int{Subjects: 0, SubjectsSettle: 0, Keypoints: 0, selectStage: 0, consolidateStage: 1}
		if f.imported.vision != nil {
			item.People[visionStage], item.People[visionSettle] = 1, 0
		}
	}
	return item, &video{Fields: f.fields, Drafts: f.drafts}, nil
}

// done are the released keypoints, as the importer's work.
func (p *making) done() iter.Seq2[*people.Done, error] {
	return func(yield func(*people.Done, error) bool) {
		for _, id := range p.order {
			row := p.films[id].imported
			if row == nil {
				continue
			}
			points := &people.Done{TaskID: people.TaskID{Item: id, Stage: consolidateStage, Person: importer}, Answers: row.points}
			if !yield(points, nil) {
				return
			}
			if row.vision == nil {
				continue
			}
			vision := &people.Done{TaskID: people.TaskID{Item: id, Stage: visionStage, Person: importer}, Answers: row.vision}
			if !yield(vision, nil) {
				return
			}
		}
	}
}

// giveDrafts warns of investigations of other videos.
func (p *making) giveDrafts(folder string) error {
	used := 0
	for _, f := range p.films {
		if r := p.reports[f.id]; r != nil && f.imported == nil {
			f.drafts = r.drafts
			delete(p.reports, f.id)
			used++
		}
	}
	if folder == "" {
		return nil
	}
	if used == 0 {
		return omniscope.Usagef("--drafts %s: none of its investigations is of a video of --clips: they go by the name of the media file, without its ending", folder)
	}
	if left := slices.Sorted(maps.Keys(p.reports)); len(left) > 0 {
		p.warn("%d investigations are of no video of the project, or of one that is annotated, and are left out, such as %s", len(left), left[0])
	}
	return nil
}
