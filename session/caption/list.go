package caption

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/internal/visible"
	"omniscope/perceive"
	"omniscope/run"
	"omniscope/session"
	"omniscope/session/production"
)

// ListOptions are the settings of a list that do not shape its captions.
type ListOptions struct {
	session.Machine
	List        *production.List
	Pages       bool // each investigation gets a page and a report; else those without a caption
	Pilot       int  // so many clips, drawn by Seed, and a forecast of the rest; 0 = all clips
	Seed        uint64
	Jobs        int   // clips at a time
	MaxFileSize int64 // bytes of a file that is fetched
	KeepFetched bool  // files stay when no row wants them any more
}

// A listSummary is what a command brought.
type listSummary struct {
	Statistics *production.Statistics
	Failures   []production.Failure // in the list's order
	Pilot      *production.Pilot    // nil = it was none
	Result     *Result              `json:"-"`

	models *session.Models
}

// Text describes what each pass brought, in a line each. folder is that of the captions.
func (c *listSummary) Text(folder string) string {
	var b strings.Builder
	if c.Pilot != nil {
		b.WriteString(c.Pilot.Text())
	}
	for i := range c.Statistics.Passes {
		p := &c.Statistics.Passes[i]
		at := filepath.Join(folder, p.Pass)
		if p.Captions == 0 {
			fmt.Fprintf(&b, "%s: no caption of %d clips; %s\n", p.Pass, c.Statistics.Rows, at)
			continue
		}
		fmt.Fprintf(&b, "%s: %d captions of %d clips, %s words, %s inquiries, %.1f %% of sentences without evidence; %s\n",
			p.Pass, p.Captions, c.Statistics.Rows, p.Words, p.Inquiries, 100*p.Unfounded, at)
	}
	fmt.Fprintf(&b, "statistics: %s\n", filepath.Join(folder, "statistics.md"))
	return b.String()
}

// Verdict is the error of a list with failed captions; nil = every caption is there.
func (c *listSummary) Verdict(folder string) error {
	if len(c.Failures) == 0 {
		return nil
	}
	f, again := c.Failures[0], ""
	for _, failure := range c.Failures {
		again = cmp.Or(again, c.models.AskFailed(failure.Outcome))
	}
	return fmt.Errorf("%d captions failed, such as %s (%s): %s; all are in %s: run the same command again to try them again%s",
		len(c.Failures), visible.Line(f.ID), f.Pass, visible.Line(f.Why), filepath.Join(folder, "failures.jsonl"), again)
}

// A List is the open run of a list of clips.
type List struct {
	*ListOptions
	*clipRun
	spec    *Spec
	passes  []pass
	folders []string // of captions
	flags   string
	rows    []int              // to do
	output  *production.Output // nil = reports are discarded: the journal keeps the answers
	fetch   *production.Fetcher
	locks   *clipLocks
	names   []string // of the rows' folders
	began   time.Time
	note    func(string) // shows what was done last

	Captions *listSummary // once all is done

	mu    sync.Mutex
	pilot *production.Pilot          // nil = it is none
	known map[string]production.Cost // of an earlier pilot of the same work, by id
}

// A pass is the investigations by one set of senses.
type pass struct {
	name    string // av, a or v
	spec    *Spec
	earlier []string // folders of captions after some of the inquiries, as the spec's ConcludeAt has them
}

// passesOf are the passes of a spec.
func passesOf(s *Spec) (passes []pass) {
	for _, name := range s.Passes {
		own := *s
		own.Modality = name
		p := pass{name: name, spec: &own}
		for _, n := range s.ConcludeAt {
			p.earlier = append(p.earlier, fmt.Sprintf("%s-%d", name, n))
		}
		passes = append(passes, p)
	}
	return passes
}

// folders are those of the pass's captions.
func (p *pass) folders() []string { return append([]string{p.name}, p.earlier...) }

// passDone reports whether a row has all captions of the pass.
func (w *List) passDone(i int, p *pass) bool {
	return !slices.ContainsFunc(p.folders(), func(folder string) bool { return !w.output.Done(i, folder) })
}

// OpenList opens an investigation of the clips of a list, a unit for each row, in all passes of the Spec. That clips failed
// is no error: Captioned has them.
func OpenList(ctx context.Context, s *Spec, o *ListOptions) (*List, error) {
	o.Ready(session.ClipCalls())
	s.complete()
	w := &List{ListOptions: o, spec: s, passes: passesOf(s), began: time.Now()}
	for i := range w.passes {
		w.folders = append(w.folders, w.passes[i].folders()...)
	}
	var err error
	if w.flags, err = s.flags(); err != nil {
		return nil, err
	}
	o.Out = cmp.Or(o.Out, s.listOut(o.Calls, o.List, w.flags))
	w.locks = newClipLocks(o.Calls, w.flags)
	s.List = o.List.Digest(len(o.List.Rows))
	d, err := session.Describe(captionKind, captionKind, s)
	if err != nil {
		return nil, err
	}
	if err := w.checkMissing(); err != nil {
		return nil, err
	}
	w.clipRun, err = openClips(ctx, &o.Machine, d, s.models())
	return w, err
}

// listOut is the folder of a list's captions where none is named. The same list has it again when it has grown.
func (s *Spec) listOut(c *session.Calls, l *production.List, flags string) string {
	name := filepath.Base(l.Name)
	return FolderOf(c, strings.TrimSuffix(name, filepath.Ext(name)), s.System(), flags[:12])
}

// Plan implements Units.
func (w *List) Plan() *session.Plan {
	p := w.plan(len(w.List.Rows), w.Jobs)
	p.ID, p.Order = func(i int) string { return w.List.Rows[i].ID }, func() []int { return w.rows }
	return p
}

// Claim implements Units. It chooses the rows to do.
func (w *List) Claim(context.Context) (err error) {
	by := production.By{Flags: w.flags, Sources: w.Sources(), AnySource: w.Calls.AnyEndpoint}
	if w.output, err = production.OpenOutput(w.Out, w.List, w.folders, by, w.Force); err == nil {
		w.choose(w.described.Name)
	}
	return err
}

// Begin implements Units.
func (w *List) Begin(_ context.Context, e *session.Env) error {
	w.note = e.Note
	if e.Results {
		return nil
	}
	rows := session.Shard{I: 0, N: 1}
	if !w.Journal.Shared() {
		rows = e.Part
	}
	w.rows = slices.Collect(rows.Own(len(w.List.Rows)))
	w.fetchInto(fmt.Sprintf("%s-part-%d-of-%d", w.described.Name, e.Part.I, e.Part.N)) // two parts may be done on one machine
	return nil
}

// Write implements Units.
func (w *List) Write(context.Context) (err error) {
	if err := w.output.Finish(w.folders); err != nil {
		return err
	}
	w.Captions, err = w.results()
	return err
}

// Close implements Units.
func (w *List) Close() error {
	err := w.Models.Close()
	if w.output != nil {
		err = errors.Join(err, w.output.Finish(w.folders), w.output.Close())
	}
	if w.fetch != nil {
		err = errors.Join(err, w.fetch.Close())
	}
	return err
}

// checkMissing says how many files are not there, before anything is paid for.
func (w *List) checkMissing() error {
	n, first := w.List.Missing()
	switch {
	case n == 0:
	case n == len(w.List.Rows):
		return omniscope.Invalidf("%s: none of its %d files is there, such as %s: name the folder that paths start from with --media", w.List.Name, n, visible.Line(first.Path))
	default:
		fmt.Fprintf(w.Warnings, "warning: %d of %d files are not there, such as %s (id %s): they will count as failures\n", n, len(w.List.Rows), visible.Line(first.Path), visible.Line(first.ID))
	}
	return nil
}

// choose chooses the rows to do in the run of that name.
func (w *List) choose(name string) {
	names := make([]string, len(w.List.Rows))
	for i := range names {
		names[i] = folderName(w.List.Rows[i].ID)
	}
	w.names = distinct(names)
	if w.Pilot > 0 {
		w.rows = production.Draw(len(names), w.Pilot, w.Seed)
		w.beginPilot()
	} else {
		for i := range names {
			if slices.ContainsFunc(w.passes, func(p pass) bool { return !w.passDone(i, &p) }) {
				w.rows = append(w.rows, i)
			}
		}
	}
	w.fetchInto(name)
	if there := len(names) - len(w.rows); w.Calls.Fresh && w.Pilot == 0 && there > 0 {
		fmt.Fprintf(w.Warnings, "warning: %d clips have their captions already, and nothing of them is asked anew: give --force as well to replace them\n", there)
	}
}

// fetchInto prepares to fetch the media of the rows to do.
func (w *List) fetchInto(folder string) {
	wanted := make([]production.Row, len(w.rows))
	for n, i := range w.rows {
		wanted[n] = w.List.Rows[i]
	}
	w.fetch = production.NewFetcher(filepath.Join(w.Calls.WorkDir, "fetched", folder), wanted, w.MaxFileSize, w.KeepFetched)
}

// Do implements Units. It investigates a row in all passes without captions; in a pilot, and without results, in all passes, from memory if
// it has the answers. A problem of the row alone is a failure; any other problem is an error.
func (w *List) Do(ctx context.Context, i int) (out session.Done, err error) {
	began, tally := time.Now(), run.NewTally(w.began)
	ctx = run.WithTally(ctx, tally)
	out.Complete = true
	clip, done, err := w.open(ctx, i)
	defer done()
	for _, p := range w.passes {
		if w.output != nil && w.Pilot == 0 && w.passDone(i, &p) {
			continue
		}
		one, err := w.pass(ctx, i, p, clip, err)
		switch {
		case err != nil:
			return session.Done{}, session.About(w.List.Rows[i].ID, err)
		case one.Failed != "":
			out = session.Done{Failed: fmt.Sprintf("%s: pass %s: %s", w.List.Rows[i].ID, p.name, one.Failed)}
		case !one.Complete:
			out.Complete = false
		}
	}
	if w.pilot != nil {
		return out, w.measured(i, tally.Sum(), time.Since(began))
	}
	return out, nil
}

// open opens the clip of a row, fetched if it lies on the web. done is to be called in any case.
func (w *List) open(ctx context.Context, i int) (clip *perceive.Clip, done func(), err error) {
	row := &w.List.Rows[i]
	path, release, err := w.fetch.Get(ctx, row)
	if production.Refused(err) {
		return nil, release, openError{err}
	} else if err != nil {
		return nil, release, err
	}
	opened, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(row.ID), Path: path, Span: row.Span})
	if err != nil {
		return nil, release, openError{err}
	}
	done = func() { _ = opened.Close(); release() }
	if err := errors.Join(row.Check(opened.File), row.CheckDigest(ctx, opened.File)); err != nil {
		return nil, done, openError{err}
	}
	opened.Expect(w.tools) // those of all passes
	give, err := w.locks.lock(ctx, opened)
	if err != nil {
		return nil, done, err
	}
	return opened, func() { _, _ = give(), opened.Close(); release() }, nil
}

// measured keeps what a row of a pilot took, for this command and for the same one after it was
// interrupted. Where answers were remembered that is not known, unless an earlier one kept it.
func (w *List) measured(i int, t run.Tallied, took time.Duration) error {
	id := w.List.Rows[i].ID
	cost, known := production.Cost{ID: id, Calls: t.Models, TokensIn: t.Cost.TokensIn, TokensOut: t.Cost.TokensOut, USD: t.Cost.USD, Seconds: took.Seconds()}, true
	w.mu.Lock()
	defer w.mu.Unlock()
	if t.Older {
		cost, known = w.known[id], w.known[id].ID != ""
	}
	if !known {
		return nil
	}
	w.pilot.Clips = append(w.pilot.Clips, cost)
	return w.pilot.Write(w.Out)
}

// beginPilot begins to measure.
func (w *List) beginPilot() {
	work := sha256hex.Of(fmt.Appendf(nil, "%s %v %v", w.flags, w.spec.Passes, w.spec.ConcludeAt))
	w.known = production.PilotCosts(w.Out, work)
	w.pilot = &production.Pilot{Work: work, Rows: len(w.List.Rows), Seed: w.Seed, Jobs: w.Jobs, Drawn: len(w.rows), Priced: w.priced()}
}

// results counts what there is, and writes it.
func (w *List) results() (*listSummary, error) {
	out := &listSummary{Failures: w.output.Failures(w.folders), models: w.Models, Result: &Result{Clips: len(w.List.Rows), Wanted: len(w.List.Rows) * len(w.folders), File: filepath.Join(w.Out, w.folders[0]), NothingSeen: w.spec.nothingSeen()}}
	var err error
	if out.Statistics, err = w.output.Statistics(w.folders); err != nil {
		return nil, err
	}
	for i := range out.Statistics.Passes {
		out.Result.Captions += out.Statistics.Passes[i].Captions
		out.Result.Words += out.Statistics.Passes[i].WordsOfAll()
	}
	for i := range out.Failures {
		out.Result.Fail(out.Failures[i].Why)
	}
	err = errors.Join(
		outfile.WriteIn(w.Out, "statistics.json", func(to io.Writer) error { return outfile.JSON(to, out.Statistics) }),
		outfile.WriteIn(w.Out, "statistics.md", out.Statistics.Markdown))
	if err != nil || w.pilot == nil {
		return out, err
	}
	w.pilot.Predict()
	out.Pilot = w.pilot
	return out, w.pilot.Write(w.Out)
}

// priced reports whether the price of each model that costs something is known.
func (w *List) priced() bool {
	return !slices.ContainsFunc(w.clipRun.All, func(m *session.Model) bool { return !m.Local && m.Price == nil })
}
