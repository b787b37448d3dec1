package collect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"omniscope"
	"omniscope/curate/fingerprint"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/media"
)

// Options say what to collect and where to.
type Options struct {
	Sources *sources
	Rules   ruleSet
	Against []string // folders of media to keep away from
	Whole   bool     // no segment is chosen: a clip is a whole file
	NoCut   bool     // no clips are written: the results name files and spans
	Seed    uint64
	Jobs    int // files that are decoded at a time
	Dir     string
	Force   bool
	Text    textReader // needed where the rules limit subtitles
	Program string     // version, for collect.json

	// Progress shows how many files of total are measured; note says what is done now.
	Progress func(total int) (done func(int), note func(string), stop func())
}

// A candidate is a source on its way.
type candidate struct {
	*clipSource
	m       *measures // nil: it could not be read
	print   *fingerprint.Fingerprint
	checks  []check
	segment segment

	rule, why string // that refused it; "" = none did
	copy      *copyOf

	clip   string // file of the clip, from the folder of the results on
	digest string // of that file
}

func (k *candidate) reject(rule, why string) { k.rule, k.why = rule, why }

func (k *candidate) known() known { return known{k.ID, k.Path, k.print} }

// collecting is one run.
type collecting struct {
	*Options
	all     []*candidate
	against int // files that were compared with
	meter   meter

	mu       sync.Mutex
	warnings []string
}

// folders below the folder of the results.
const (
	clipsFolder  = "clips"
	memoryFolder = ".remembered"
)

// Run collects clips into a folder. Files that are not accepted are no error: the results name each with its reason. An
// error of kind Usage says that the folder holds something else.
func Run(ctx context.Context, o *Options) (*Results, error) {
	if o.Rules.MaxSubtitleShare < 1 && o.Text == nil {
		return nil, &omniscope.Error{Kind: omniscope.Internal, Err: fmt.Errorf("nobody reads text, which rule %s needs", ruleSubtitles)}
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	unlock, err := outfile.LockFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unlock() }()
	about := o.about(ctx)
	if err := begin(o.Dir, about, o.Force); err != nil {
		return nil, err
	}
	memory := filepath.Join(o.Dir, memoryFolder)
	c := &collecting{Options: o, meter: meter{dir: memory, prints: &fingerprint.Memory{Dir: memory}}}
	if o.Rules.MaxSubtitleShare < 1 {
		c.meter.text = o.Text
	}
	for _, step := range []func(context.Context) error{c.measureAll, c.chooseSegments, c.compareWithOthers, c.leaveOutDuplicates, c.balance, c.writeClips} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	r := c.results(about)
	return r, r.write(o.Dir)
}

// remaining are the candidates that no rule refused yet.
func (c *collecting) remaining() (list []*candidate) {
	for _, k := range c.all {
		if k.rule == "" {
			list = append(list, k)
		}
	}
	return list
}

// each calls do for the remaining candidates.
func (c *collecting) each(do func(k *candidate) error) error {
	for _, k := range c.remaining() {
		if err := do(k); err != nil {
			return err
		}
	}
	return nil
}

func (c *collecting) warn(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.warnings = append(c.warnings, text)
}

// measureAll measures the sources, several at a time, and applies the rules of single files.
func (c *collecting) measureAll(ctx context.Context) error {
	ids := make(map[string]bool)
	for i := range c.Sources.List {
		k := &candidate{clipSource: &c.Sources.List[i]}
		if ids[k.ID] {
			k.reject(ruleID, "a file before it has this id")
		}
		ids[k.ID] = true
		c.all = append(c.all, k)
	}
	done, note, stop := c.Progress(len(c.all))
	defer stop()
	var finished atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, c.Jobs))
	for _, k := range c.all {
		group.Go(func() error {
			if k.rule != "" || ctx.Err() != nil {
				return ctx.Err()
			}
			note(k.ID)
			err := c.measure(ctx, k)
			done(int(finished.Add(1)))
			return err
		})
	}
	return group.Wait()
}

// measure measures one source. That it cannot be read is its outcome.
func (c *collecting) measure(ctx context.Context, k *candidate) error {
	err := c.read(ctx, k)
	switch kind := omniscope.KindOf(err); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case kind == omniscope.Invalid || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
		k.m = nil
		k.reject(ruleReadable, err.Error())
		return nil
	}
	return fmt.Errorf("%s: %w", k.ID, err)
}

// digestOf is the digest of a regular file: to open a named pipe could wait for ever.
func digestOf(path string) (string, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = omniscope.Invalidf("%s is no regular file", path)
	}
	if err != nil {
		return "", err
	}
	return sha256hex.File(path)
}

// read finds out what is known of a source: what was measured before, else what its header says, and
// if that is not refused what decoding it tells.
func (c *collecting) read(ctx context.Context, k *candidate) error {
	digest, err := digestOf(k.Path)
	if err != nil {
		return err
	}
	if k.m, k.print = c.meter.remembered(digest); k.m == nil {
		f, err := media.Probe(ctx, k.Path)
		if err != nil {
			return err
		}
		k.m = header(f, digest)
		if refused(c.Rules.checkHeader(k.m)) == nil {
			if k.m, k.print, err = c.meter.measure(ctx, f, digest); err != nil {
				return err
			}
		}
	}
	k.checks = c.Rules.checkHeader(k.m)
	if refused(k.checks) == nil {
		k.checks = append(k.checks, c.Rules.checkContent(k.m)...)
	}
	if r := refused(k.checks); r != nil {
		k.reject(r.Rule, r.String())
	}
	return nil
}

// chooseSegments chooses a segment of each file, the whole file where that is wanted.
func (c *collecting) chooseSegments(context.Context) error {
	return c.each(func(k *candidate) error {
		if c.Whole {
			k.segment = segment{0, k.m.Seconds, "the whole file, as asked for"}
			return nil
		}
		var found bool
		if k.segment, found = chooseSegment(k.m, &c.Rules); !found {
			s := c.Rules.Segment
			k.reject(ruleSegment, fmt.Sprintf("it has no stretch of %g to %g s with at least %d cuts inside", s.MinSeconds, s.MaxSeconds, c.Rules.MinTransitions))
		}
		return nil
	})
}

// compareWithOthers leaves out what is a copy of media to keep away from.
func (c *collecting) compareWithOthers(ctx context.Context) error {
	if len(c.Against) == 0 {
		return nil
	}
	_, note, stop := c.Progress(len(c.Against))
	against, warnings, err := readAgainst(ctx, c.Against, c.meter.prints, note)
	stop()
	if err != nil {
		return err
	}
	c.against = len(against)
	for _, w := range warnings {
		c.warn(w)
	}
	return c.leaveOutContaminated(ctx, against)
}
