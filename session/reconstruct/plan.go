package reconstruct

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/ondisk"
	"omniscope/internal/parallel"
	"omniscope/media"
	"omniscope/session/production"
)

// Options say what is reconstructed.
type Options struct {
	Captions  []Captions // of each system
	Field     string     // of the captions; "" = the usual ones
	Originals string     // list of clips, as production.ReadList reads it
	Media     string     // folder from which the list names files; "" = the list's
	Draw      int        // clips; 0 = all
	Seed      uint64     // of the clips and their order

	Generator string    // all that shapes a video beside clip, caption and length
	Choices   []float64 // lengths that the generator can, in seconds; nil = any whole number
	MaxPrompt int       // characters of a prompt; 0 = no limit
	Cut       bool      // cut longer ones at a sentence, rather than refuse them
	Threads   int       // that look at media at a time
}

// Captions are a system's.
type Captions struct{ System, Path string }

// A Plan is what there is to make.
type Plan struct {
	Clips    []clip   // that were drawn, by their ids
	Systems  []string // in the order of the options
	Jobs     []Job    // in a drawn order
	Media    string   // folder from which pairs.jsonl names originals
	Digests  []string // SHA-256 of the files of captions, hex
	Warnings []string

	seed uint64
}

// worst is how many bad rows an error names.
const worst = 5

// NewPlan reads captions and originals, draws clips of which there is a caption of each system, and
// makes a job of each clip and system. Originals that are not there, and prompts that are too long, are
// errors of kind Invalid: nothing is ordered before all of it is known to be right.
func NewPlan(ctx context.Context, o Options) (*Plan, error) {
	if len(o.Captions) == 0 {
		return nil, omniscope.Usagef("name the captions of a system with --captions SYSTEM=FILE")
	}
	p := &Plan{seed: o.Seed}
	files, err := p.open(ctx, o)
	defer func() {
		for _, f := range files {
			f.Lines.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	clips, err := p.originals(ctx, o)
	if err != nil {
		return nil, err
	}
	if clips, err = p.captioned(o, files, clips); err != nil {
		return nil, err
	}
	p.draw(o, clips)
	if err := p.measure(ctx, o); err != nil {
		return nil, err
	}
	return p, p.jobs(o, files)
}

// open opens the captions.
func (p *Plan) open(ctx context.Context, o Options) (files []*bench.TextFile, err error) {
	for _, c := range o.Captions {
		if strings.TrimSpace(c.System) == "" {
			return files, omniscope.Usagef("--captions %s: name the system, as in --captions ours=%[1]s", c.Path)
		}
		if slices.Contains(p.Systems, c.System) {
			return files, omniscope.Usagef("--captions: two files are of %s: give each system a name of its own, as in --captions ours=FILE", c.System)
		}
		f, err := bench.OpenTextFile(ctx, c.Path, bench.Captions(o.Field))
		if err != nil {
			return files, err
		}
		files, p.Systems, p.Digests = append(files, f), append(p.Systems, c.System), append(p.Digests, f.Lines.Digest)
	}
	return files, nil
}

// originals reads the list of clips.
func (p *Plan) originals(ctx context.Context, o Options) (clips []clip, err error) {
	list, err := production.ReadList(ctx, o.Originals, o.Media, "")
	if err != nil {
		return nil, err
	}
	if p.Media = o.Media; p.Media == "" {
		if p.Media = o.Originals; !ondisk.IsFolder(o.Originals) {
			p.Media = filepath.Dir(o.Originals)
		}
	}
	byStem := make(map[string]string)
	for i := range list.Rows {
		row := &list.Rows[i]
		switch stem := bench.Stem(row.ID); {
		case row.Remote():
			return nil, omniscope.Invalidf("%s: the original of %s is on the web: people are shown files; fetch it first", o.Originals, row.ID)
		case row.Span.Start != 0 || row.Span.End != 0:
			return nil, omniscope.Invalidf("%s: the original of %s is a stretch of a file: people are shown whole files; cut it first", o.Originals, row.ID)
		case byStem[stem] != "":
			return nil, omniscope.Invalidf("%s: captions cannot tell %s from %s, as they go by names without folder and ending", o.Originals, row.ID, byStem[stem])
		default:
			byStem[stem] = row.ID
		}
		clips = append(clips, clip{ID: row.ID, Path: row.Path})
	}
	if p.Media, err = folderOf(clips, p.Media); err != nil {
		return nil, err
	}
	for i := range clips {
		clips[i].Shown = shownAs(clips[i].Path, p.Media)
	}
	return clips, nil
}

// folderOf returns the folder that people are shown the clips from: the given one if all clips are below it, else the
// deepest one with all of them.
func folderOf(clips []clip, folder string) (string, error) {
	given, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	common, outside := given, false
	for _, c := range clips {
		path, err := filepath.Abs(c.Path)
		if err != nil {
			return "", err
		}
		outside = outside || !isBelow(given, path)
		for !isBelow(common, path) && common != filepath.Dir(common) {
			common = filepath.Dir(common)
		}
	}
	switch {
	case !outside, common == filepath.Dir(common): // or they have no folder in common
		return folder, nil
	}
	return deepest(clips, common)
}

// deepest returns the deepest folder below common that has all clips.
func deepest(clips []clip, common string) (string, error) {
	for {
		next := ""
		for _, c := range clips {
			path, err := filepath.Abs(c.Path)
			if err != nil {
				return "", err
			}
			rel, err := filepath.Rel(common, filepath.Dir(path))
			first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			if err != nil || first == "." || next != "" && first != next {
				return common, err
			}
			next = first
		}
		common = filepath.Join(common, next)
	}
}

func isBelow(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// shownAs is the name of an original in pairs.jsonl, from the folder of the media on, or without any folder if it is elsewhere.
func shownAs(path, folder string) string {
	from, err := filepath.Abs(folder)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err == nil && isBelow(from, path) {
		if rel, err := filepath.Rel(from, path); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.Base(path)
}

// captioned are the clips of which there is a caption of each system.
func (p *Plan) captioned(o Options, files []*bench.TextFile, clips []clip) (kept []clip, err error) {
	lacking, used := make([]int, len(files)), make([]int, len(files))
	for _, c := range clips {
		all := true
		for i, f := range files {
			text, err := f.Get(c.ID)
			if err != nil {
				return nil, err
			}
			switch {
			case text == nil || strings.TrimSpace(*text) == "":
				all = false
				lacking[i]++
			default:
				used[i]++
			}
		}
		if all {
			kept = append(kept, c)
		}
	}
	for i, f := range files {
		name := o.Captions[i].Path
		if used[i] == 0 {
			return nil, omniscope.Invalidf("none of the %d captions in %s belongs to a clip of %s", f.Lines.Len(), name, o.Originals)
		}
		if lacking[i] > 0 {
			p.Warnings = append(p.Warnings, fmt.Sprintf("%d of %d clips have no caption in %s: they are not drawn", lacking[i], len(clips), name))
		}
		if left := f.Lines.Len() - used[i]; left > 0 {
			p.Warnings = append(p.Warnings, fmt.Sprintf("%d of the captions in %s belong to no clip of %s, or are empty", left, name, o.Originals))
		}
	}
	if len(kept) == 0 {
		return nil, omniscope.Invalidf("no clip of %s has a caption of each system: the same clips are wanted of all, so that their videos can be compared", o.Originals)
	}
	return kept, missing(o.Originals, kept)
}

// missing names clips whose files are not there.
func missing(list string, clips []clip) error {
	var gone []error
	shown := make(map[string]string)
	for _, c := range clips {
		if !ondisk.IsFile(c.Path) {
			gone = append(gone, fmt.Errorf("the original of %s is not there: %s", c.ID, c.Path))
		}
		if other := shown[c.Shown]; other != "" {
			return omniscope.Invalidf("%s: the originals of %s and %s are both called %s where people are shown them: put them below one folder, and name it with --media", list, other, c.ID, c.Shown)
		}
		shown[c.Shown] = c.ID
	}
	if more := len(gone) - worst; more > 0 {
		gone = append(gone[:worst], fmt.Errorf("and %d more", more))
	}
	if len(gone) > 0 {
		return omniscope.Invalidf("%s: %w", list, errors.Join(gone...))
	}
	return nil
}

// draw draws clips. Which ones does not depend on the order of the files.
func (p *Plan) draw(o Options, clips []clip) {
	slices.SortFunc(clips, func(a, b clip) int { return strings.Compare(a.ID, b.ID) })
	draw := rand.New(rand.NewPCG(o.Seed, 1))
	if o.Draw > 0 && o.Draw < len(clips) {
		draw.Shuffle(len(clips), func(i, k int) { clips[i], clips[k] = clips[k], clips[i] })
		clips = clips[:o.Draw]
		slices.SortFunc(clips, func(a, b clip) int { return strings.Compare(a.ID, b.ID) })
	} else if o.Draw > len(clips) {
		p.Warnings = append(p.Warnings, fmt.Sprintf("there are %d clips with captions of all systems, not %d", len(clips), o.Draw))
	}
	p.Clips = clips
}

// measure says how long the clips are.
func (p *Plan) measure(ctx context.Context, o Options) error {
	return parallel.Each(ctx, max(1, o.Threads), len(p.Clips), func(_, i int) error {
		f, err := media.Probe(ctx, p.Clips[i].Path)
		if err != nil {
			return err
		}
		if f.Video == nil {
			return omniscope.Invalidf("%s, the original of %s, has no picture: videos are rated against it", p.Clips[i].Path, p.Clips[i].ID)
		}
		p.Clips[i].Length = f.End()
		return nil
	})
}

// jobs makes the jobs, in a drawn order.
func (p *Plan) jobs(o Options, files []*bench.TextFile) error {
	var long []error
	cut := 0
	for _, c := range p.Clips {
		for i, f := range files {
			text, err := f.Get(c.ID)
			if err != nil {
				return err
			}
			j := Job{Clip: c.ID, System: p.Systems[i], Prompt: strings.TrimSpace(*text), Seconds: secondsFor(c.Length.Seconds(), o.Choices)}
			if n := utf8.RuneCountInString(j.Prompt); o.MaxPrompt > 0 && n > o.MaxPrompt {
				short := ""
				if o.Cut {
					short = cutPrompt(j.Prompt, o.MaxPrompt)
				}
				if short == "" {
					long = append(long, fmt.Errorf("the caption of %s by %s has %d characters", c.ID, j.System, n))
				}
				j.Prompt, j.Cut = short, true
				cut++
			}
			j.Name = nameOf(o.Generator, &j)
			p.Jobs = append(p.Jobs, j)
		}
	}
	if more := len(long) - worst; more > 0 {
		long = append(long[:worst], fmt.Errorf("and %d more", more))
	}
	switch {
	case len(long) > 0 && o.Cut:
		return omniscope.Invalidf("the generator takes %d characters, and of some captions not even the first sentence is as short: %w", o.MaxPrompt, errors.Join(long...))
	case len(long) > 0:
		return omniscope.Invalidf("the generator takes %d characters (--max-prompt); --cut-prompts cuts longer captions at a sentence: %w", o.MaxPrompt, errors.Join(long...))
	case cut > 0:
		p.Warnings = append(p.Warnings, fmt.Sprintf("%d of %d captions were cut at a sentence to %d characters: key.jsonl says which", cut, len(p.Jobs), o.MaxPrompt))
	}
	draw := rand.New(rand.NewPCG(o.Seed, 2))
	draw.Shuffle(len(p.Jobs), func(i, k int) { p.Jobs[i], p.Jobs[k] = p.Jobs[k], p.Jobs[i] })
	return nil
}

// codes are the names under which pairs.jsonl hides the systems.
func (p *Plan) codes() map[string]string {
	systems := slices.Sorted(slices.Values(p.Systems))
	draw := rand.New(rand.NewPCG(p.seed, 3))
	draw.Shuffle(len(systems), func(i, k int) { systems[i], systems[k] = systems[k], systems[i] })
	codes := make(map[string]string)
	for i, s := range systems {
		codes[s] = fmt.Sprintf("hidden-%d", i+1)
	}
	return codes
}
