package pg_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/run"
	"omniscope/run/journal/pg"
)

// short is a lease that tests can wait for.
var short = pg.Options{Lease: 300 * time.Millisecond}

// freeze makes a process as good as dead for the others: its lease is over, and stays so
// until it is renewed.
func freeze(t *testing.T, address string, run string) {
	t.Helper()
	execute(t, address, "UPDATE holder SET until = now() - interval '1 hour' WHERE run = (SELECT id FROM run WHERE name = '"+run+"')")
}

func execute(t *testing.T, address, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	fixture.OK(t, err)
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// count returns a number that a query tells.
func count(t *testing.T, address, query string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	fixture.OK(t, err)
	defer conn.Close(context.Background())
	fixture.OK(t, conn.QueryRow(t.Context(), query).Scan(&n))
	return n
}

func mustClaim(t *testing.T, j run.Claimer, e *run.Entry, mine bool) {
	t.Helper()
	claim, err := j.Claim(t.Context(), e.Key, e.Source)
	if err != nil || claim.Mine != mine || claim.Entry != nil {
		t.Fatalf("the claim is %+v, %v, want mine %v", claim, err, mine)
	}
}

func entry(n int, result string) *run.Entry {
	return &run.Entry{Key: run.Key{byte(n), byte(n >> 8), 7}, Step: fmt.Sprint("step ", n), Attempt: 1, Kind: "model", Source: "there",
		Outcome: omniscope.OK, Request: []byte(`"ask"`), Result: []byte(result), Started: time.UnixMicro(1)}
}

func TestLeaseIsRenewed(t *testing.T) {
	address := pgtest.New(t)
	one, other := openRun(t, address, "one", short), openRun(t, address, "other", short)
	mustClaim(t, one, entry(1, ""), true)
	time.Sleep(3 * short.Lease)
	mustClaim(t, other, entry(1, ""), false)
}

func TestFrozenProcessLosesItsClaimAndComesLate(t *testing.T) {
	address := pgtest.New(t)
	one, other := openRun(t, address, "one", pg.Options{}), openRun(t, address, "other", pg.Options{})
	for n := range 3 {
		mustClaim(t, one, entry(n, ""), true)
	}
	freeze(t, address, "one")
	mustClaim(t, other, entry(0, ""), true)
	mustClaim(t, other, entry(1, ""), true)
	fixture.OK(t, other.Append(t.Context(), entry(0, `"of the other"`)))
	// It wakes: one call was made by the other, one is being made, one nobody took.
	for n := range 3 {
		fixture.OK(t, one.Append(t.Context(), entry(n, `"of the frozen one"`)))
	}
	for n, want := range []string{`"of the other"`, "", `"of the frozen one"`} {
		found, err := other.Lookup(t.Context(), entry(n, "").Key, "")
		fixture.OK(t, err)
		if want == "" && found != nil || want != "" && (found == nil || string(found.Result) != want) {
			t.Errorf("call %d has the answer %v, want %q", n, found, want)
		}
	}
	late := 0
	for c, err := range one.store.Calls(t.Context(), "one", "") {
		fixture.OK(t, err)
		if c.Late {
			late++
		}
	}
	if late != 2 {
		t.Errorf("%d calls are late, want 2", late)
	}
	usage, err := one.store.Usage(t.Context(), "one", nil)
	if err != nil || usage.Calls != 3 {
		t.Errorf("usage counts %d calls, want all 3 that were paid: %v", usage.Calls, err)
	}
}

func TestAnswerCountsWhereTheClaimWasOnlyLost(t *testing.T) {
	address := pgtest.New(t)
	one, other := openRun(t, address, "one", pg.Options{}), openRun(t, address, "other", pg.Options{})
	mustClaim(t, one, entry(1, ""), true)
	execute(t, address, "DELETE FROM claim") // as after a power cut of the server
	fixture.OK(t, one.Append(t.Context(), entry(1, `"paid"`)))
	if found, err := other.Lookup(t.Context(), entry(1, "").Key, ""); err != nil || found == nil {
		t.Errorf("a paid answer is not found: %v", err)
	}
}

func TestForgottenProcessGoesOnUnderANewNumber(t *testing.T) {
	address := pgtest.New(t)
	one := openRun(t, address, "one", short)
	mustClaim(t, one, entry(1, ""), true)
	execute(t, address, "DELETE FROM claim; DELETE FROM holder")
	time.Sleep(short.Lease)
	mustClaim(t, one, entry(2, ""), true)
	mustClaim(t, openRun(t, address, "other", short), entry(2, ""), false)
}

func TestTheDeadLeaveNoClaim(t *testing.T) {
	address := pgtest.New(t)
	for _, name := range []string{"one", "two"} {
		j := openRun(t, address, name, pg.Options{})
		mustClaim(t, j, entry(len(name), name), name == "one")
	}
	freeze(t, address, "one")
	three := openRun(t, address, "three", pg.Options{})
	if n := count(t, address, "SELECT count(*) FROM claim"); n != 0 {
		t.Errorf("%d claims are left of a process that is dead", n)
	}
	mustClaim(t, three, entry(9, ""), true)
	fixture.OK(t, three.Close())
	if n := count(t, address, "SELECT count(*) FROM claim"); n != 0 {
		t.Errorf("%d claims are left of a process that has ended", n)
	}
	if n := count(t, address, "SELECT count(*) FROM holder"); n != 1 {
		t.Errorf("%d processes are known, want the one that is left", n)
	}
}

// A process that slept past its lease claims a call again before it sends it: one that another process answered is not sent.
func TestClaimsAreRenewedBeforeCallsAreSent(t *testing.T) {
	address := pgtest.New(t)
	one, other := openRun(t, address, "one", pg.Options{}), openRun(t, address, "other", pg.Options{})
	answered, taken, free := entry(1, `"new"`), entry(2, ""), entry(3, "")
	for _, e := range []*run.Entry{answered, taken, free} {
		mustClaim(t, one, e, true)
		if claim, err := one.Renew(t.Context(), e.Key, e.Source); err != nil || !claim.Mine {
			t.Fatalf("awake: %+v, %v", claim, err)
		}
	}
	pg.Sleep(one.Journal, time.Hour)
	freeze(t, address, "one")
	mustClaim(t, other, answered, true)
	mustClaim(t, other, taken, true)
	fixture.OK(t, other.Append(t.Context(), answered))
	if err := pg.RenewLease(t.Context(), one.Journal); err != nil { // before it looks at its claims
		t.Fatal(err)
	}
	for _, c := range []struct {
		e        *run.Entry
		mine, ok bool
	}{{answered, false, true}, {taken, false, false}, {free, true, false}} {
		claim, err := one.Renew(t.Context(), c.e.Key, c.e.Source)
		if err != nil || claim.Mine != c.mine || (claim.Entry != nil) != c.ok {
			t.Errorf("%s: %+v, %v; want mine %v, answered %v", c.e.Step, claim, err, c.mine, c.ok)
		}
	}
}
