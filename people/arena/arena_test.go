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
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
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
	fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func arenaOf(t *testing.T, m *maker, voters ...string) *people.Workplace {
	t.Helper()
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	peopletest.Invite(t, w, people.Voter, voters...)
	return w
}

// vote has people take turns until there is nothing left, and returns how many votes they cast.
func vote(t *testing.T, w *people.Workplace, voters []string, choose func(person string, b *battleRecord) winnerField) int {
	t.Helper()
	return peopletest.DoAll(t, w, stage, voters, func(person string, c *people.WorkItem, _ *people.Form) map[string]people.Value {
		b, err := battleOf(c.Item)
		fixture.OK(t, err)
		return map[string]people.Value{voteKey: {"winner": string(choose(person, b))}}
	})
}

func votes(t *testing.T, w *people.Workplace) []cast {
	t.Helper()
	casts, err := voteRecords(t.Context(), w)
	fixture.OK(t, err)
	return casts
}

// TestArenaOfSeven has voters with known preferences vote 500 times on seven systems, as in the
// paper. The ranks come out, Elo equals a calculation by hand, and pairs and sides are even.
func TestArenaOfSeven(t *testing.T) {
	systems := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh"}
	m := &maker{Captions: captions(t, 60, systems...), Battles: 455, Twice: 10, Seed: 1}
	voters := []string{"ann", "ben", "cas"}
	w := arenaOf(t, m, voters...)
	strength := func(system string) float64 { return -250 * float64(slices.Index(systems, system)) }
	draw := rand.New(rand.NewPCG(7, 7))
	n := vote(t, w, voters, func(_ string, b *battleRecord) winnerField {
		if draw.Float64() < 0.05 {
			return tie
		}
		if draw.Float64() < 1/(1+math.Pow(10, (strength(b.Right.System)-strength(b.Left.System))/400)) {
			return leftWins
		}
		return right
	})
	casts := votes(t, w)
	if n != 501 || len(casts) != n { // 455 battles, and 46 of them twice
		t.Fatalf("%d votes, %d cast", n, len(casts))
	}
	tables, err := standings(casts, 1)
	fixture.OK(t, err)
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
		score := map[winnerField]float64{leftWins: 1, tie: 0.5}[c.Vote.Winner]
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
	row := tables[1].Rows[1]
	if row[0] != "agreement of two people" || !strings.HasPrefix(row[3], "46 battles") || row[1] != fmt.Sprintf("%.3f", agreementByHand(casts)) {
		t.Errorf("agreement %q, by hand %.3f", row, agreementByHand(casts))
	}
}

// agreementByHand is the share of battles of two votes on which both are the same.
func agreementByHand(casts []cast) float64 {
	of := make(map[string][]winnerField)
	for _, c := range casts {
		of[c.Item] = append(of[c.Item], c.Vote.Winner)
	}
	same, all := 0.0, 0.0
	for _, w := range of {
		if len(w) == 2 {
			all++
			if w[0] == w[1] {
				same++
			}
		}
	}
	return same / all
}

// TestVoterBias has one voter who always says left, and one who looks at the captions.
func TestVoterBias(t *testing.T) {
	w := arenaOf(t, &maker{Captions: captions(t, 40, "good", "poor"), Twice: 1, Seed: 3}, "lefty", "looks")
	vote(t, w, []string{"lefty", "looks"}, func(person string, b *battleRecord) winnerField {
		if person == "lefty" || b.Left.System == "good" {
			return leftWins
		}
		return right
	})
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	fixture.OK(t, err)
	left := 0 // how often the good one stood left
	for _, c := range votes(t, w) {
		if c.Left == "good" && c.Person == "looks" {
			left++
		}
	}
	rows := tables[2].Rows
	if rows[0][0] != "lefty" || rows[0][7] != "1.000" || rows[1][7] != fmt.Sprintf("%.3f", float64(left)/40) {
		t.Errorf("voters %q", rows)
	}
	if got, want := tables[1].Rows[1][1], fmt.Sprintf("%.3f", float64(left)/40); got != want {
		t.Errorf("they agree on %s, by hand %s", got, want)
	}
}

// TestBattlesComeAgain has one voter for all, who prefers a system until battles come again, and
// then the left side.
func TestBattlesComeAgain(t *testing.T) {
	w := arenaOf(t, &maker{Captions: captions(t, 24, "good", "poor"), Again: 2, Seed: 3}, "ann")
	sides := make(map[string]string)
	n := vote(t, w, []string{"ann"}, func(_ string, b *battleRecord) winnerField {
		if before, ok := sides[b.Left.Text]; b.Again != "" && (!ok || before != "right") {
			t.Errorf("%q comes again on the side %q", b.Left.Text, before)
		}
		sides[b.Left.Text], sides[b.Right.Text] = "left", "right"
		if b.Again != "" || b.Left.System == "good" {
			return leftWins
		}
		return right
	})
	if n != 36 {
		t.Fatalf("%d votes on 24 battles, 12 of them again", n)
	}
	same := 0
	casts := votes(t, w)
	for _, c := range casts {
		if c.Item != c.First && c.Left == "good" {
			same++
		}
	}
	tables, err := standings(casts, 0)
	fixture.OK(t, err)
	rows := tables[1].Rows
	if rows[1][1] != "not known" || rows[2][0] != "agreement of people with themselves" || rows[2][1] != fmt.Sprintf("%.3f", float64(same)/12) {
		t.Errorf("%q, by hand %.3f", rows, float64(same)/12)
	}
}

func TestNobodyVotesTwiceOnABattle(t *testing.T) {
	w := arenaOf(t, &maker{Captions: captions(t, 2, "one", "two"), Twice: 1}, "ann")
	if n := vote(t, w, []string{"ann"}, func(string, *battleRecord) winnerField { return leftWins }); n != 2 {
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
	p := peopletest.Make(t, &maker{Captions: []string{a, b}})
	var clips []string
	for item := range p.Items {
		clips = append(clips, item.Clip)
	}
	if !slices.Equal(clips, []string{"good"}) {
		t.Errorf("battles of %q", clips)
	}
	want := []string{"1 pairs are left out: " + same, "1 pairs are left out: " + named}
	if !slices.Equal(p.Warnings, want) {
		t.Errorf("warnings %q", p.Warnings)
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	good := write(t, filepath.Join(dir, "good.jsonl"), `{"clip": "a", "caption": "A dog."}`)
	broken := write(t, filepath.Join(dir, "broken.jsonl"), `{"clip": "a", "caption": "A cat."}`+"\n"+`{"clip": "b", "caption"`)
	twice := write(t, filepath.Join(dir, "twice.jsonl"), `{"clip": "a", "caption": "A cat."}`+"\n"+`{"clip": "a.mp4", "caption": "A cat."}`)
	other := write(t, filepath.Join(dir, "other.jsonl"), `{"clip": "z", "caption": "A cat."}`)
	for says, files := range map[string][]string{
		"two systems or more":       {good},
		"are both captions of good": {good, good},
		"no such file":              {good, filepath.Join(dir, "none.jsonl")},
		broken + ":2: not JSON":     {good, broken},
		twice + `:2: a.mp4 and a, on line 1, are both called "a" here: rename one of them`: {good, twice},
		"there is nothing to compare": {good, other},
	} {
		if _, err := (&maker{Captions: files}).Make(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// TestSystemsAreHidden looks for the systems in all that a page may show before the vote, and finds
// them in what is shown after it.
func TestSystemsAreHidden(t *testing.T) {
	w := arenaOf(t, &maker{Captions: captions(t, 3, "gpt-4o", "gemini")}, "ann")
	for _, id := range w.Items() {
		c, err := w.WorkItem(t.Context(), id, stage)
		fixture.OK(t, err)
		form, err := w.Kind().Form(c)
		fixture.OK(t, err)
		page, _ := json.Marshal([]any{form, c.Item.ID, c.Item.Clip, c.Item.Media, c.Project.Settings, c.Project.Guideline})
		if strings.Contains(string(page), "gpt-4o") || strings.Contains(string(page), "gemini") {
			t.Errorf("page %s", page)
		}
		shown, _ := json.Marshal(Kind.Reveal(c, nil))
		if !strings.Contains(string(shown), "gpt-4o") || !strings.Contains(string(shown), "gemini") {
			t.Errorf("after the vote %s", shown)
		}
	}
}

func TestExports(t *testing.T) {
	at := time.Date(2026, 11, 24, 8, 0, 0, 500_000_000, time.UTC)
	casts := []cast{
		{At: at, Clip: "c,1", Left: "x", Right: "y", Person: "ann", Vote: voteRecord{Winner: leftWins, Reason: "more \"sound\""}},
		{At: at, Clip: "c2", Left: "x", Right: "y", Person: "ben", Vote: voteRecord{Winner: bothBad}},
		{At: at, Clip: "c3", Left: "x", Right: "y", Person: "ben", Vote: voteRecord{Winner: cannot}},
	}
	var battles, chat bytes.Buffer
	fixture.OK(t, writeBattles(&battles, casts))
	fixture.OK(t, writeFastChat(&chat, casts))
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
	if _, err := standings(nil, 0); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("%v", err)
	}
	tables, err := standings([]cast{{Clip: "c", Left: "x", Right: "y", Vote: voteRecord{Winner: leftWins}}}, 0)
	if err != nil || !strings.Contains(tables[0].Note, "no ratings yet") || tables[0].Rows[0][0] != "x" {
		t.Errorf("%v %+v", err, tables)
	}
}

// TestStandingsOfTheUndefeated: an undefeated system has no rating but a note; the others are rated.
func TestStandingsOfTheUndefeated(t *testing.T) {
	var casts []cast
	vote := func(n int, left, right string, winner winnerField) {
		for range n {
			casts = append(casts, cast{Clip: fmt.Sprint(len(casts)), Left: left, Right: right, Vote: voteRecord{Winner: winner}})
		}
	}
	vote(5, "a", "b", leftWins)
	vote(3, "b", "c", leftWins)
	vote(2, "c", "b", leftWins)
	vote(5, "a", "c", leftWins)
	tables, err := standings(casts, 0)
	fixture.OK(t, err)
	var got []string
	for _, row := range tables[0].Rows {
		got = append(got, row[0]+":"+row[5])
	}
	if fmt.Sprint(got) != "[a: b:1035 c:965]" || !strings.Contains(tables[0].Note, "No Bradley-Terry rating of a: undefeated") || !strings.Contains(tables[0].Note, "Ranks are among") {
		t.Errorf("%v, %s", got, tables[0].Note)
	}
}

func TestVotesThatAreNone(t *testing.T) {
	w := arenaOf(t, &maker{Captions: captions(t, 1, "one", "two")}, "ann")
	id, _ := w.Next("ann", stage)
	peopletest.Save(t, w, id, people.Take, nil)
	for _, v := range []people.Value{{"winner": "first"}, {"winner": "left", "reason": strings.Repeat("x", 2001)}, {"who": "left"}} {
		if got := peopletest.Try(t, w, id, people.Set, 0, &people.Answer{Key: voteKey, Value: v}); got.Err == nil {
			t.Errorf("%.40v is a vote", v)
		}
	}
	if got := peopletest.Try(t, w, id, people.Submit, 0, nil); got.Err == nil {
		t.Error("submitted without a vote")
	}
	if tables, err := Kind.Tables(t.Context(), w); err != nil || tables[0].Note != "There are no votes yet." {
		t.Errorf("%v %v", tables, err)
	}
}

// TestItemsNameTheFileOfTheirClip has two files of captions name a clip in the same way, or not.
func TestItemsNameTheFileOfTheirClip(t *testing.T) {
	for names, want := range map[[3]string]string{
		{"a", "a", "a"}: "a",
		{"clips/a.mp4", "clips/a.mp4", "clips/a.mp4"}: "clips/a.mp4",
		{"a.wav", "a", "a.wav"}:                       "a.wav",
		{"a", "a.wav", "a"}:                           "a.wav",
		{"ours/a.mp4", "theirs/a.mp4", "x/a.mp4"}:     "a",
		{"a.mp4", "a.wav", "a.mp4"}:                   "a",
	} {
		var files []string
		for i, name := range names {
			files = append(files, write(t, filepath.Join(t.TempDir(), fmt.Sprintf("system%d.jsonl", i)), fmt.Sprintf(`{"clip": %q, "caption": "Caption %d."}`, name, i)))
		}
		w := arenaOf(t, &maker{Captions: files})
		if got := w.MediaOf("b1"); len(got) != 1 || got[0].File != want {
			t.Errorf("%q: %+v, want %s", names, got, want)
		}
	}
}

// TestVotesOnReplacedClipsAreInNoResult replaces one of four clips after all votes are cast.
func TestVotesOnReplacedClipsAreInNoResult(t *testing.T) {
	w := arenaOf(t, &maker{Captions: captions(t, 4, "ours", "theirs"), Twice: 0}, "ann", "ben")
	if n := vote(t, w, []string{"ann", "ben"}, func(string, *battleRecord) winnerField { return leftWins }); n != 4 {
		t.Fatalf("%d votes", n)
	}
	fixture.OK(t, w.NoteClips(t.Context(), people.ClipNote{File: "c1", SHA256: "another file"}))
	if casts := votes(t, w); len(casts) != 3 {
		t.Errorf("%d votes are rated, want 3", len(casts))
	}
	for _, name := range []string{"battles", "fastchat"} {
		text := peopletest.Export(t, w, name)
		if lines := strings.Count(text, "\n"); lines != map[string]int{"battles": 4, "fastchat": 3}[name] || strings.Contains(text, ",c1,") {
			t.Errorf("%s has %d lines:\n%s", name, lines, text)
		}
	}
	if n := w.LeftOut()[people.OtherClip]; n != 1 {
		t.Errorf("%d votes are left out", n)
	}
}
