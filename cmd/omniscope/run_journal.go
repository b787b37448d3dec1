package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"omniscope"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/store"
)

// A runJournal is the journal of one run, which no other process works on
// meanwhile.
type runJournal struct {
	*store.Journal
	name   string
	o      journalOptions
	store  *store.Store
	unlock func() error
	begun  bool // a fresh run begins with this command

	mu      sync.Mutex
	damaged []string // what was asked again
}

// journalOptions say what a run takes from its journal.
type journalOptions struct {
	WorkDir    string
	Fresh      bool // only answers that the run was given since it became fresh count
	AskDamaged bool // ask again where the remembered answer was changed
	InFlight   int  // most answers that may be under way at a time
	ErrOut     io.Writer
}

func journalDir(workDir string) string { return filepath.Join(workDir, "journal") }

// openRunJournal opens the run called name and makes sure that answers can be
// kept, before anything is paid for.
func openRunJournal(ctx context.Context, o journalOptions, name, manifest string) (j *runJournal, err error) {
	dir := journalDir(o.WorkDir)
	j = &runJournal{name: name, o: o}
	defer func() {
		if err != nil {
			err = errors.Join(err, j.Close())
		}
	}()
	if j.unlock, err = store.LockRun(dir, name); err != nil {
		return j, err
	}
	if j.store, err = store.Open(dir); err != nil {
		return j, err
	}
	if j.Journal, err = j.store.Run(ctx, name, manifest); err != nil {
		return j, err
	}
	if err = j.refuseDamaged(j.CheckFailures(ctx)); err != nil {
		return j, err
	}
	if err = j.Reserve(o.InFlight); err != nil {
		return j, err
	}
	if o.Fresh {
		j.begun, err = j.StartFresh(ctx)
	}
	return j, err
}

// Lookup implements run.Journal. An answer that was changed after it was
// written stops the run, or is asked for again if the user wants that.
func (j *runJournal) Lookup(ctx context.Context, key run.Key, source string) (*run.Entry, error) {
	e, err := j.Journal.Lookup(ctx, key, source)
	if err = j.refuseDamaged(err); err != nil {
		return nil, err
	}
	return e, nil
}

// refuseDamaged returns err; where it says that a call is damaged, and the user
// wants such calls made again, it warns instead.
func (j *runJournal) refuseDamaged(err error) error {
	var damaged *store.DamagedError
	if !errors.As(err, &damaged) {
		return err
	}
	if !j.o.AskDamaged {
		return fmt.Errorf("%w; nothing was asked in its place: with --ask-damaged the same command asks (and pays) for it again", err)
	}
	warning := fmt.Sprintf("%v; it was asked again", damaged)
	fmt.Fprintln(j.o.ErrOut, "warning:", printable(warning))
	j.mu.Lock()
	defer j.mu.Unlock()
	j.damaged = append(j.damaged, warning)
	return nil
}

// complete adds to the results what the run took over all its processes, and
// which answers were asked again because they were damaged. A nil journal adds
// nothing.
func (j *runJournal) complete(ctx context.Context, r *omniscope.Results, price *wrap.Price) error {
	if j == nil {
		return nil
	}
	used, err := j.Usage(ctx, wrap.CostOf)
	if err != nil {
		return err
	}
	r.Usage = usageOf(used, price, r.Usage)
	j.mu.Lock()
	defer j.mu.Unlock()
	r.Warnings = append(r.Warnings, j.damaged...)
	return nil
}

// EndFresh notes that the run has come to its end.
func (j *runJournal) EndFresh() error {
	if j == nil {
		return nil
	}
	return j.Journal.EndFresh()
}

// stoppedBy ends a fresh run that was stopped because its answers are of no
// use: the next fresh one asks anew, as the message says.
func (j *runJournal) stoppedBy(err error) error {
	if omniscope.KindOf(err) != omniscope.Unusable {
		return nil
	}
	return j.EndFresh()
}

// Close closes the journal, the last opened first.
func (j *runJournal) Close() error {
	if j == nil {
		return nil
	}
	var err error
	if j.Journal != nil {
		err = errors.Join(err, j.Journal.Close())
	}
	if j.store != nil {
		err = errors.Join(err, j.store.Close())
	}
	if j.unlock != nil {
		err = errors.Join(err, j.unlock())
	}
	return err
}

// usageOf is what a run took over all its processes, priced as then; what had
// no price then has that of now. share is this command's part.
func usageOf(u store.Usage, price *wrap.Price, share omniscope.UsageInfo) omniscope.UsageInfo {
	this, cost := share.Sums(), costOf(u, price)
	return omniscope.UsageInfo{
		Calls: u.Calls, Remembered: u.Remembered, Failed: u.Failed, Retries: u.Retries, RateLimited: u.RateLimited,
		TokensIn: u.TokensIn, TokensOut: u.TokensOut, CostUSD: cost, Seconds: share.Seconds, ThisCommand: &this,
		Lost: lostOf(u, cost != nil, price), Estimated: share.Estimated,
	}
}

// lostOf is what went to tries that brought nothing usable, priced likewise.
func lostOf(u store.Usage, priced bool, price *wrap.Price) omniscope.LostInfo {
	l := u.Lost
	lost := omniscope.LostInfo{Tries: l.Tries, TokensIn: l.TokensIn, TokensOut: l.TokensOut}
	if !priced {
		return lost
	}
	cost := l.USD
	if price != nil {
		cost += price.Cost(u.UnpricedLostIn, u.UnpricedLostOut)
	}
	lost.CostUSD = &cost
	return lost
}

// costOf is nil where the price of some answers is not known.
func costOf(u store.Usage, price *wrap.Price) *float64 {
	cost := u.CostUSD
	switch {
	case price != nil:
		cost += price.Cost(u.UnpricedIn, u.UnpricedOut)
	case cost == 0 || u.UnpricedIn+u.UnpricedOut > 0:
		return nil
	}
	return &cost
}
