package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/visible"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/run/journal"
)

// A Journal is the journal of one run. No other process of this machine works on the
// run meanwhile; where other machines do, claims keep each call for one of them.
type Journal struct {
	journal.Journal
	name       string
	askDamaged bool
	warnings   io.Writer
	store      journal.Store
	unlock     func() error
	calls      CallLocks // of runs of other processes on the same folder; nil = the journal is not a folder
	begun      bool      // a fresh run begins with this command
	settle     func()    // the budget; nil = it is not shared

	mu      sync.Mutex
	damaged []string          // answers that were asked for again
	before  map[string]string // sources as earlier versions wrote them, where that differs
}

// openRun opens a run and makes sure that answers can be kept,
// as many as may be under way at a time, before anything is paid for.
func openRun(ctx context.Context, c *Calls, underWay int, d journal.Description, warnings io.Writer) (j *Journal, err error) {
	at := c.JournalAt()
	j = &Journal{name: d.Name, askDamaged: c.AskDamaged, warnings: warnings}
	kinds, err := c.journals()
	if err != nil {
		return j, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, j.Close())
		}
	}()
	if j.unlock, err = kinds.LockRun(at, d.Name); err != nil {
		return j, err
	}
	if j.calls, err = kinds.LockCalls(at); err != nil {
		return j, err
	}
	if j.store, err = kinds.Open(ctx, at, c.Lease, warnings); err != nil {
		return j, err
	}
	if j.Journal, err = j.store.Run(ctx, d); err != nil {
		return j, err
	}
	if j.Shared() { // what is paid for goes there
		fmt.Fprintln(warnings, "journal in", visible.Line(j.store.Where()))
	}
	if err = j.refuseDamaged(j.CheckFailures(ctx)); err != nil {
		return j, err
	}
	if err = j.Reserve(underWay); err != nil {
		return j, err
	}
	if c.Fresh {
		j.begun, err = j.StartFresh(ctx)
	}
	return j, err
}

// OpenScores opens the journal of a run that asks no model and remembers the
// scores that networks compute. A damaged one is computed again.
func OpenScores(ctx context.Context, c *Calls, d journal.Description, warnings io.Writer) (*Journal, error) {
	const underWay = 64 // a batch's scores are written together
	return openRun(ctx, &Calls{Journal: c.JournalAt(), Journals: c.Journals, AskDamaged: true}, underWay, d, warnings)
}

// watch watches the first answers of a role's model in this run.
func (j *Journal) watch(c *Calls, r *Role) *watch {
	return &watch{limit: c.MostUnusable(), workDir: c.WorkDir, run: j.name, role: r.Name, model: r.Model, fresh: c.Fresh, begun: j.begun, maxTokens: r.maxTokensKey()}
}

// Lookup implements run.Journal. An answer that was changed after it was
// written stops the run, or is asked for again if the user wants that.
func (j *Journal) Lookup(ctx context.Context, key run.Key, source string) (*run.Entry, error) {
	e, err := j.Journal.Lookup(ctx, key, source)
	j.mu.Lock()
	before := j.before[source]
	j.mu.Unlock()
	if e == nil && err == nil && before != "" {
		if e, err = j.Journal.Lookup(ctx, key, before); e != nil {
			e.Source = source
		}
	}
	if err = j.refuseDamaged(err); err != nil {
		return nil, err
	}
	return e, nil
}

// knows has answers of a source be found as earlier versions wrote it; "" = in the same way.
func (j *Journal) knows(source, before string) {
	if before == "" {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.before == nil {
		j.before = make(map[string]string)
	}
	j.before[source] = before
}

// Once remembers calls of the run.
func (j *Journal) Once(anySource bool) *run.Once {
	once := &run.Once{Journal: j, AnySource: anySource}
	switch {
	case j.Shared():
		once.Claimer = claims{j}
	case j.calls != nil:
		once.Claimer = folderClaims{j}
	}
	return once
}

// OnceOf is Once of a journal that may not be open.
func (j *Journal) OnceOf(anySource bool) *run.Once {
	if j == nil {
		return nil
	}
	return j.Once(anySource)
}

// Shared reports whether other machines may work on the run meanwhile.
func (j *Journal) Shared() bool {
	if j == nil {
		return false
	}
	_, claims := j.Journal.(run.Claimer)
	return claims
}

// settleWithin is how long a command that ends waits for the journal's server.
const settleWithin = 10 * time.Second

// share has a model's budget be that of all processes that work on the run, and its pace
// that of all that use the journal. Answers are found under the model's address as earlier versions wrote it, too.
func (j *Journal) share(m *Model) {
	j.knows(m.Source, m.spelledBefore())
	if pacer, ok := j.Journal.(run.Pacer); ok && m.pace != nil {
		m.pace.Share(pacer)
	}
	b := m.budget
	if b != nil {
		b.Consult(j.Journal)
	}
	account, ok := j.Journal.(run.Account)
	if ok && b != nil && b.Share(account, j.Journal.(run.Claimer)) {
		// What cannot be given back counts as spent, and nothing else is wrong.
		j.settle = func() {
			ctx, cancel := context.WithTimeout(context.Background(), settleWithin)
			defer cancel()
			_ = b.Settle(ctx)
		}
	}
}

// startBudget begins the budget of all who work on the run anew.
func (j *Journal) startBudget() error {
	if j == nil {
		return nil
	}
	if shared, ok := j.Journal.(interface{ BeginBudget() error }); ok {
		return shared.BeginBudget()
	}
	return nil
}

// marks are which units of the run are done; nil where no other process does them.
func (j *Journal) marks() marks {
	if j == nil {
		return nil
	}
	shared, _ := j.Journal.(marks)
	return shared
}

// claims are those of a journal that several processes share.
type claims struct{ *Journal }

// Claim implements run.Claimer, as Lookup does with damaged answers.
func (c claims) Claim(ctx context.Context, key run.Key, source string) (run.Claim, error) {
	claim, err := c.Journal.Journal.(run.Claimer).Claim(ctx, key, source)
	if err != nil {
		if err = c.refuseDamaged(err); err == nil {
			claim.Mine = true // as good as never answered
		}
	}
	return claim, err
}

// Renew implements run.Claimer.
func (c claims) Renew(ctx context.Context, key run.Key, source string) (run.Claim, error) {
	return c.Journal.Journal.(run.Claimer).Renew(ctx, key, source)
}

// Release implements run.Claimer.
func (c claims) Release(key run.Key, source string) {
	c.Journal.Journal.(run.Claimer).Release(key, source)
}

// folderClaims keep a call of a folder for one of the runs that are under way on it.
type folderClaims struct{ *Journal }

// Claim implements run.Claimer. Another run may have had the answer since this one looked it up.
func (c folderClaims) Claim(ctx context.Context, key run.Key, source string) (run.Claim, error) {
	if !c.calls.TryLock(key) {
		return run.Claim{}, nil
	}
	others, ok := c.Journal.Journal.(interface{ Expect(run.Key) })
	if !ok || !c.calls.Others() {
		return run.Claim{Mine: true}, nil
	}
	others.Expect(key)
	known, err := c.Lookup(ctx, key, source)
	if err != nil || known != nil {
		c.calls.Unlock(key)
		return run.Claim{Entry: known}, err
	}
	return run.Claim{Mine: true}, nil
}

// Renew implements run.Claimer: a lock lasts as long as its process.
func (folderClaims) Renew(context.Context, run.Key, string) (run.Claim, error) {
	return run.Claim{Mine: true}, nil
}

// Release implements run.Claimer.
func (c folderClaims) Release(key run.Key, _ string) { c.calls.Unlock(key) }

// Append implements run.Journal. It ends the claim of the call.
func (j *Journal) Append(ctx context.Context, e *run.Entry) error {
	if j.calls != nil {
		defer j.calls.Unlock(e.Key)
	}
	return j.Journal.Append(ctx, e)
}

// refuseDamaged returns err; where it says that a call is damaged, and the user
// wants such calls made again, it warns instead.
func (j *Journal) refuseDamaged(err error) error {
	var damaged *journal.DamagedError
	if !errors.As(err, &damaged) {
		return err
	}
	if !j.askDamaged {
		return fmt.Errorf("%w; nothing was asked in its place: with --ask-damaged the same command asks (and pays) for it again", err)
	}
	warning := fmt.Sprintf("%v; it was asked again", damaged)
	fmt.Fprintln(j.warnings, "warning:", visible.Line(warning))
	j.mu.Lock()
	defer j.mu.Unlock()
	j.damaged = append(j.damaged, warning)
	return nil
}

// Complete adds to the results what the run took over all its processes, and
// which answers were asked again because they were damaged. A nil journal adds
// nothing.
func (j *Journal) Complete(ctx context.Context, r *document.Results, price *wrap.Price) error {
	if j == nil {
		return nil
	}
	used, err := j.Usage(ctx, wrap.CostOf)
	if err != nil {
		return err
	}
	r.Usage = UsageOf(used, price, r.Usage)
	j.mu.Lock()
	defer j.mu.Unlock()
	r.Warnings = append(r.Warnings, j.damaged...)
	return nil
}

// EndFresh notes that the run has come to its end.
func (j *Journal) EndFresh() error {
	if j == nil {
		return nil
	}
	return j.Journal.EndFresh()
}

// markWritten records where the results are; out is "" for the usual place. Other journals than folders have no such mark.
func (j *Journal) markWritten(out string) error {
	if j == nil {
		return nil
	}
	m, ok := j.Journal.(interface{ MarkWritten(at string) error })
	if !ok {
		return nil
	}
	if out != "" {
		var err error
		if out, err = filepath.Abs(out); err != nil {
			return err
		}
	}
	return m.MarkWritten(out)
}

// StoppedBy ends a fresh run that was stopped because its answers are of no
// use: the next fresh one asks anew, as the message says.
func (j *Journal) StoppedBy(err error) error {
	if omniscope.KindOf(err) != omniscope.Unusable {
		return nil
	}
	return j.EndFresh()
}

// Close closes the journal, the last opened first.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	var err error
	if j.settle != nil {
		j.settle()
	}
	if j.Journal != nil {
		err = errors.Join(err, j.Journal.Close())
	}
	if j.store != nil {
		err = errors.Join(err, j.store.Close())
	}
	if j.calls != nil {
		err = errors.Join(err, j.calls.Close())
	}
	if j.unlock != nil {
		err = errors.Join(err, j.unlock())
	}
	return err
}

// UsageOf is what a run took over all its processes, priced as then; what had
// no price then has that of now. share is this command's part.
func UsageOf(u journal.Usage, price *wrap.Price, share document.UsageInfo) document.UsageInfo {
	this, cost := share.Sums(), costText(u, price)
	return document.UsageInfo{
		Calls: u.Calls, Remembered: u.Remembered, Failed: u.Failed, Retries: u.Retries, RateLimited: u.RateLimited,
		TokensIn: u.TokensIn, TokensOut: u.TokensOut, CostUSD: cost, Seconds: share.Seconds, ThisCommand: &this,
		Lost: lostOf(u, cost != nil, price), Estimated: share.Estimated,
	}
}

// lostOf is what went to tries that brought nothing usable, priced likewise.
func lostOf(u journal.Usage, priced bool, price *wrap.Price) document.LostInfo {
	l := u.Lost
	lost := document.LostInfo{Tries: l.Tries, TokensIn: l.TokensIn, TokensOut: l.TokensOut}
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

// costText is what a run cost, in US dollars, nil where the price of some answers is not known.
func costText(u journal.Usage, price *wrap.Price) *float64 {
	cost, known := u.Cost()
	switch {
	case price != nil:
		cost += price.Cost(u.UnpricedIn, u.UnpricedOut)
	case !known:
		return nil
	}
	return &cost
}
