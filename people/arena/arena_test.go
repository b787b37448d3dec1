package arena

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/people"
	"omniscope/people/sqlite"
)

// captions writes a file of captions of each system: clip c0, c1, ... in each.
func captions(t *testing.T, clips int, systems ...string) (files []string) {
	t.Helper()
	dir := t.TempDir()
	for _, s := range systems {
		var lines []string
		for c := range clips {
			lines = append(lines, fmt.Sprintf(`{"clip": "c%d", "caption": "Clip %d as the %dth tells it."}`, c, c, len(files)))
		}
		files = append(files, write(t, filepath.Join(dir, s+".jsonl"), strings.Join(lines, "\n")))
	}
	return files
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func plan(t *testing.T, o Options) *Plan {
	t.Helper()
	p, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// workplace opens a new project with a plan's battles, and invites people.
func workplace(t *testing.T, p *Plan, voters ...string) *people.Workplace {
	t.Helper()
	log, err := sqlite.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	if err := people.Begin(t.Context(), log, Project("p", ""), p.Items()); err != nil {
		t.Fatal(err)
	}
	w, err := people.OpenWorkplace(t.Context(), log, func(*people.Project) (people.Rules, error) { return Rules{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range voters {
		if _, err := w.Invite(t.Context(), id, id, people.Voter); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// vote has a person vote on what is next; false = there is nothing.
func vote(t *testing.T, w *people.Workplace, person string, choose func(*Battle) Winner) bool {
	t.Helper()
	id, ok := w.Next(person, Stage)
	if !ok {
		return false
	}
	item, err := w.Item(t.Context(), id.Item)
	if err != nil {
		t.Fatal(err)
	}
	b, err := BattleOf(item)
	if err != nil {
		t.Fatal(err)
	}
	value, _ := json.Marshal(Vote{Winner: choose(b)})
	for _, e := range []*people.Event{people.NewEvent(people.Take, person, nil), people.NewEvent(people.Set, person, &people.Answer{Key: VoteKey, Value: value}), people.NewEvent(people.Submit, person, nil)} {
		e.Task = id
		if _, err := w.Tell(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	return true
}

// TestArenaOfSeven has voters with known preferences vote 500 times on seven systems, as in the
// paper. The ranks come out, Elo equals a calculation by hand, and pairs and sides are even.
func TestArenaOfSeven(t *testing.T) {
	systems := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh"}
	p := plan(t, Options{Captions: captions(t, 60, systems...), Battles: 455, Twice: 10, Seed: 1})
	w := workplace(t, p, "ann", "ben", "cas")
	strength := func(system string) float64 { return -250 * float64(slices.Index(systems, system)) }
	draw := rand.New(rand.NewPCG(7, 7))
	votes := 0
	for more := true; more; {
		more = false
		for _, person := range []string{"ann", "ben", "cas"} {
			if vote(t, w, person, func(b *Battle) Winner {
				if draw.Float64() < 0.05 {
					return Tie
				}
				if draw.Float64() < 1/(1+math.Pow(10, (strength(b.Right.System)-strength(b.Left.System))/400)) {
					return Left
				}
				return Right
			}) {
				votes, more = votes+1, true
			}
		}
	}
	casts, err := Votes(t.Context(), w)
	if err != nil || votes != 501 || len(casts) != votes { // 455 battles, and 46 of them twice
		t.Fatalf("%d votes, %d cast (%v)", votes, len(casts), err)
	}
	tables, err := Standings(casts, 1)
	if err != nil {
		t.Fatal(err)
	}
	var ranked []string
	for _, row := range tables[0].Rows {
		ranked = append(ranked, row[0])
	}
	if !slices.Equal(ranked, systems) {
		t.Errorf("ranked %q", ranked)
	}
	byHand := make(map[string]float64)
	for _, c := range casts {
		a, b := byHand[c.Left], byHand[c.Right]
		score := map[Winner]float64{Left: 1, Tie: 0.5}[c.Vote.Winner]
		change := 32 * (score - 1/(1+math.Pow(10, (b-a)/400)))
		byHand[c.Left], byHand[c.Right] = a+change, b-change
	}
	for _, row := range tables[0].Rows {
		if want := fmt.Sprintf("%.0f", 1000+byHand[row[0]]); row[3] != want {
			t.Errorf("Elo of %s is %s, by hand %s", row[0], row[3], want)
		}
	}
	met, left := make(map[[2]string]int), make(map[string]int)
	for _, c := range casts {
		pair := []string{c.Left, c.Right}
		slices.Sort(pair)
		met[[2]string{pair[0], pair[1]}]++
		left[c.Left]++
	}
	for pair, n := range met {
		if len(met) != 21 || n < 20 || n > 29 {
			t.Errorf("%v met %d times", pair, n)
		}
	}
	for system, n := range left {
		if n < 45 || n > 100 {
			t.Errorf("%s was on the left %d times of about 143", system, n)
		}
	}
	if row := tables[1].Rows[1]; row[0] != "agreement of two people" || row[1] == "not known" || !strings.HasPrefix(row[3], "46 battles") {
		t.Errorf("agreement %q", row)
	}
}

func TestNobodyVotesTwiceOnABattle(t *testing.T) {
	p := plan(t, Options{Captions: captions(t, 2, "one", "two"), Twice: 1})
	w := workplace(t, p, "ann")
	n := 0
	for vote(t, w, "ann", func(*Battle) Winner { return Left }) {
		n++
	}
	if n != 2 {
		t.Errorf("one person votes %d times on 2 battles", n)
	}
}

func TestPairsThatAreNoneAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	a := write(t, filepath.Join(dir, "alpha.jsonl"), `{"clip": "same", "caption": "A dog."}
{"clip": "named", "caption": "As Alpha I see a dog."}
{"clip": "good", "caption": "A dog barks."}
{"clip": "alone", "caption": "A cat."}`)
	b := write(t, filepath.Join(dir, "beta.jsonl"), `{"clip": "same.mp4", "caption": "A dog. "}
{"clip": "named.mp4", "caption": "A dog."}
{"clip": "good.mp4", "caption": "A dog."}`)
	p := plan(t, Options{Captions: []string{a, b}})
	if p.Len() != 1 || p.clips[p.battles[0].clip] != "good" {
		t.Errorf("%d battles", p.Len())
	}
	want := []string{"1 pairs are left out: " + same, "1 pairs are left out: " + named}
	if !slices.Equal(p.Warnings, want) {
		t.Errorf("warnings %q", p.Warnings)
	}
	for says, files := range map[string][]string{"two systems or more": {a}, "two systems are called alpha": {a, a}} {
		if _, err := New(t.Context(), Options{Captions: files}); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestItemsHideSystems(t *testing.T) {
	p := plan(t, Options{Captions: captions(t, 3, "gpt-4o", "gemini")})
	for item, err := range p.Items() {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(item.ID+item.Clip+item.Media, "g") {
			t.Errorf("item %+v", item)
		}
	}
}

func TestExports(t *testing.T) {
	at := time.Date(2026, 11, 24, 8, 0, 0, 500_000_000, time.UTC)
	casts := []Cast{
		{At: at, Clip: "c,1", Left: "x", Right: "y", Person: "ann", Vote: Vote{Winner: Left, Reason: "more \"sound\""}},
		{At: at, Clip: "c2", Left: "x", Right: "y", Person: "ben", Vote: Vote{Winner: BothBad}},
		{At: at, Clip: "c3", Left: "x", Right: "y", Person: "ben", Vote: Vote{Winner: Cannot}},
	}
	var battles, chat bytes.Buffer
	if err := WriteBattles(&battles, casts); err != nil {
		t.Fatal(err)
	}
	if err := WriteFastChat(&chat, casts); err != nil {
		t.Fatal(err)
	}
	wantBattles := "a,b,winner,clip,person,said,reason,at\n" +
		"x,y,a,\"c,1\",ann,left,\"more \"\"sound\"\"\",2026-11-24T08:00:00.5Z\n" +
		"x,y,tie,c2,ben,both bad,,2026-11-24T08:00:00.5Z\n"
	wantChat := `{"model_a":"x","model_b":"y","winner":"model_a","judge":"ann","tstamp":1763971200.5}` + "\n" +
		`{"model_a":"x","model_b":"y","winner":"tie (bothbad)","judge":"ben","tstamp":1763971200.5}` + "\n"
	if battles.String() != wantBattles {
		t.Errorf("battles:\n%s", battles.String())
	}
	if got := strings.ReplaceAll(chat.String(), fmt.Sprintf("%.1f", float64(at.UnixMilli())/1e3), "1763971200.5"); got != wantChat {
		t.Errorf("FastChat:\n%s", chat.String())
	}
}

func TestStandingsWithoutVotes(t *testing.T) {
	if _, err := Standings(nil, 0); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("%v", err)
	}
	tables, err := Standings([]Cast{{Clip: "c", Left: "x", Right: "y", Vote: Vote{Winner: Left}}}, 0)
	if err != nil || !strings.Contains(tables[0].Note, "no ratings yet") || tables[0].Rows[0][0] != "x" {
		t.Errorf("%v %+v", err, tables)
	}
}

func TestVotesThatAreNone(t *testing.T) {
	for _, value := range []string{`{"winner": "first"}`, `"left"`, `{"winner": "left", "reason": "` + strings.Repeat("x", 2001) + `"}`} {
		if err := (Rules{}).Check(Stage, nil, &people.Answer{Key: VoteKey, Value: json.RawMessage(value)}); err == nil {
			t.Errorf("%.40s is a vote", value)
		}
	}
	if err := (Rules{}).Complete(Stage, nil, nil); err == nil {
		t.Error("submitted without a vote")
	}
}
