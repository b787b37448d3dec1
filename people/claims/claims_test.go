package claims

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

// planted is what ann, ben, who settles and the machine say of 20 claims, four of each of five
// clips: s supported, c contradicted, u unsupported, - nothing. Ann and ben differ on six.
var planted = map[string]string{
	"ann":     "ssss" + "ssss" + "sscu" + "sscc" + "cuuu",
	"ben":     "ssss" + "ssss" + "ssss" + "cucc" + "cssu",
	"sue":     "----" + "----" + "--cu" + "cu--" + "-su-",
	"machine": "sssu" + "sssc" + "sscu" + "cucc" + "cs-u",
}

var letters = map[byte]decision{'s': supported, 'c': contradicted, 'u': unsupported}

// auditsOf writes the planted audits of the machine, as omniscope audit does.
func auditsOf(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for clip := range 5 {
		var claims []string
		for i := range 4 {
			decision, outcome := letters[planted["machine"][clip*4+i]], "ok"
			if decision == none {
				decision, outcome = unsupported, "failed"
			}
			claims = append(claims, fmt.Sprintf(`{"id": "c%d", "sentence": 0, "text": "Claim %d of %d.", "verdict": %q, "says": [{"tool": "o/secret-observer", "verdict": %[4]q, "outcome": %q, "why": "secret evidence"}]}`, i+1, i+1, clip, decision, outcome))
		}
		b.WriteString(audit(fmt.Sprintf("k%d.mp4", clip), fmt.Sprintf("Caption %d.", clip), claims...) + "\n")
	}
	b.WriteString(`{"schema": "omniscope.audit/1", "clip": {"id": "gone.mp4"}, "outcome": "missing", "why": "the clip's media are not there", "claims": null}` + "\n")
	return fixture.File(t, "audits.jsonl", b.String())
}

func audit(clip, caption string, claims ...string) string {
	return fmt.Sprintf(`{"schema": "omniscope.audit/1", "clip": {"id": %q, "path": "/clips/x", "start_s": 0}, "caption": %q, "splitter": "offline", "outcome": "ok", "claims": [%s], "ledger": [], "warnings": []}`, clip, caption, strings.Join(claims, ", "))
}

func open(t *testing.T) *people.Workplace {
	t.Helper()
	w := peopletest.Open(t, Kind, peopletest.Make(t, &maker{Audits: []string{auditsOf(t)}, People: 2}))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	peopletest.Invite(t, w, people.Senior, "sue")
	return w
}

// does has people answer all cards of a stage as planted.
func does(t *testing.T, w *people.Workplace, stage string, persons ...string) int {
	t.Helper()
	return peopletest.DoAll(t, w, stage, persons, func(person string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		answers := make(map[string]people.Value)
		for _, card := range f.Sections[0].Cards {
			var clip, claim int
			fmt.Sscanf(c.Item.ID+" "+card.ID, "a%d c%d", &clip, &claim)
			answers[keyOf(card.ID)] = people.Value{"verdict": string(letters[planted[person][(clip-1)*4+claim-1]]), "why": "as " + person + " saw"}
		}
		return answers
	})
}

func TestPlantedDisagreements(t *testing.T) {
	w := open(t)
	if n := does(t, w, check, "ann", "ben"); n != 10 {
		t.Fatalf("%d captions checked", n)
	}
	if open := openIn(t, w); open != 6 {
		t.Errorf("%d claims are open, ann and ben differ on 6", open)
	}
	if n := does(t, w, settle, "sue"); n != 3 {
		t.Errorf("%d captions settled, they differ in 3", n)
	}
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	fixture.OK(t, err)
	// By hand. Final: sssssssssscucuccc su u, of 20: 11 s, 5 c, 4 u.
	want := [][]string{
		{"supported", "9", "1", "1", "0", "11"}, {"contradicted", "0", "5", "0", "0", "5"},
		{"unsupported", "0", "0", "3", "1", "4"}, {"open", "0", "0", "0", "0", "0"},
	}
	for i, row := range tables[0].Rows {
		if !slices.Equal(row, want[i]) {
			t.Errorf("verdicts %q, want %q", row, want[i])
		}
	}
	checkAgreement(t, tables[1].Rows)
	for i, want := range [][]string{{"ann", "20", "12", "4", "4", "17 of 20"}, {"ben", "20", "14", "4", "2", "17 of 20"}} {
		if row := tables[2].Rows[i]; !slices.Equal(row[:6], want) {
			t.Errorf("person %q, want %q", row, want)
		}
	}
}

func openIn(t *testing.T, w *people.Workplace) (n int) {
	t.Helper()
	checked, err := results(t.Context(), w)
	fixture.OK(t, err)
	for _, c := range checked {
		if c.Final == none {
			n++
		}
	}
	return n
}

// checkAgreement compares with calculations by hand: the tables are counted here from the planted
// letters.
func checkAgreement(t *testing.T, rows [][]string) {
	t.Helper()
	final := []byte(planted["ann"])
	for i := range final {
		if planted["sue"][i] != '-' {
			final[i] = planted["sue"][i]
		}
	}
	for at, pair := range map[int][2]string{0: {planted["ann"], planted["ben"]}, 6: {string(final), planted["machine"]}} {
		n, same := 0., 0.
		var first, second = map[byte]float64{}, map[byte]float64{}
		for i := range 20 {
			a, b := pair[0][i], pair[1][i]
			if b == '-' {
				continue
			}
			n++
			first[a]++
			second[b]++
			if a == b {
				same++
			}
		}
		chance, gwet := 0., 0.
		for l := range letters {
			chance += first[l] * second[l] / (n * n)
			share := (first[l] + second[l]) / (2 * n)
			gwet += share * (1 - share) / 2
		}
		for i, want := range []float64{same / n, (same/n - chance) / (1 - chance), (same/n - gwet) / (1 - gwet)} {
			if row := rows[at+i]; row[2] != fmt.Sprintf("%.3f", want) || row[3] == "" || row[4] != fmt.Sprint(n) {
				t.Errorf("%q, by hand %.3f of %v", row, want, n)
			}
		}
	}
	// Contradicted against the others: both 3, ann alone 1, ben alone 1, of 20; by chance
	// 0.2·0.2 + 0.8·0.8.
	if want := "0.688"; rows[4][2] != want || rows[4][1] != "kappa of contradicted against the others" {
		t.Errorf("%q, by hand (0.9 - 0.68)/(1 - 0.68) = %s", rows[4], want)
	}
}

func TestPeopleSeeNothingOfTheMachine(t *testing.T) {
	w := open(t)
	see := func(stage, item string) *people.Form {
		c, err := w.WorkItem(t.Context(), item, stage)
		fixture.OK(t, err)
		form, err := w.Kind().Form(c)
		fixture.OK(t, err)
		page, _ := json.Marshal(form)
		for _, hidden := range []string{"secret", "machine"} {
			if bytes.Contains(page, []byte(hidden)) {
				t.Errorf("%s of %s shows %q: %s", stage, item, hidden, page)
			}
		}
		return form
	}
	if f := see(check, "a3"); f.Texts[0].Body != "Caption 2." || len(f.Sections[0].Cards) != 4 || f.Sections[0].Cards[2].Title != "Claim 3 of 2." {
		t.Errorf("form %+v", f)
	}
	does(t, w, check, "ann", "ben")
	f := see(settle, "a3")
	if len(f.Sections[0].Cards) != 2 || f.Sections[0].Cards[0].ID != "c3" {
		t.Fatalf("cards to settle %+v", f.Sections[0].Cards)
	}
	texts := f.Sections[0].Cards[0].Texts
	if len(texts) != 2 || texts[0].Title != "Person A" || texts[1].Title != "Person B" || !strings.HasPrefix(texts[0].Body+texts[1].Body, "Contradicted: as ann") && !strings.HasPrefix(texts[1].Body, "Contradicted: as ann") {
		t.Errorf("what they said %+v", texts)
	}
	if id, ok := w.Next("sue", settle); !ok || id.Item != "a3" {
		t.Errorf("sue settles %v first", id)
	}
}

func TestExport(t *testing.T) {
	w := open(t)
	does(t, w, check, "ann", "ben")
	does(t, w, settle, "sue")
	var out bytes.Buffer
	fixture.OK(t, w.Kind().Exports[0].Write(t.Context(), w, &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := map[int]string{
		0:  `{"item":"a1","clip":"k0.mp4","claim":"c1","text":"Claim 1 of 0.","verdicts":{"ann":"supported","ben":"supported"},"final":"supported","machine":"supported"}`,
		10: `{"item":"a3","clip":"k2.mp4","claim":"c3","text":"Claim 3 of 2.","verdicts":{"ann":"contradicted","ben":"supported"},"final":"contradicted","settled":"sue","machine":"contradicted"}`,
		18: `{"item":"a5","clip":"k4.mp4","claim":"c3","text":"Claim 3 of 4.","verdicts":{"ann":"unsupported","ben":"supported"},"final":"unsupported","settled":"sue"}`,
	}
	for i, line := range want {
		if len(lines) != 20 || lines[i] != line {
			t.Errorf("line %d of %d: %s\nwant %s", i, len(lines), lines[i], line)
		}
	}
}

// TestFormsOfAudits reads audits as lines, as one document of many lines, and from two files.
func TestFormsOfAudits(t *testing.T) {
	claim := `{"id": "c1", "text": "A dog.", "verdict": "supported", "says": []}`
	one := audit("a.mp4", "A dog barks.", claim)
	var document bytes.Buffer
	fixture.OK(t, json.Indent(&document, []byte(one), "", "  "))
	span := strings.Replace(audit("b", "A dog.", claim), `"start_s": 0`, `"start_s": 2.5, "end_s": 4`, 1)
	p := peopletest.Make(t, &maker{Audits: []string{fixture.File(t, "one.json", document.String()), fixture.File(t, "two.jsonl", span)}, People: 1})
	var got []string
	for item, err := range p.Items {
		fixture.OK(t, err)
		a, err := auditOf(item)
		if err != nil || len(a.Claims) != 1 || a.Claims[0].Machine != supported {
			t.Errorf("%+v (%v)", a, err)
		}
		got = append(got, fmt.Sprint(item.ID, " ", item.Clip, " ", item.Media[0].File, " ", a.StartS, " ", a.EndS))
	}
	list := fixture.File(t, "list.json", "["+one+",\n"+span+"]")
	if p := peopletest.Make(t, &maker{Audits: []string{list}, People: 1}); !slices.Equal(idsOf(t, p), []string{"a1", "a2"}) {
		t.Errorf("a list has %q", idsOf(t, p))
	}
	if want := []string{"a1 a /clips/x 0 0", "a2 b /clips/x 2.5 4"}; !slices.Equal(got, want) || len(p.Project.Stages) != 1 {
		t.Errorf("items %q, want %q; one person leaves nothing to settle: %+v", got, want, p.Project.Stages)
	}
}

// TestItemsNameTheAuditedFile reads audits that name path and digest of their clip, only a path, and
// neither.
func TestItemsNameTheAuditedFile(t *testing.T) {
	digest := strings.Repeat("0123456789abcdef", 4)
	for clip, want := range map[string]people.Media{
		`{"id": "kitchen", "path": "clips/kitchen.mp4", "sha256": "` + digest + `"}`:                  {File: "clips/kitchen.mp4", SHA256: digest},
		`{"id": "kitchen", "path": "clips/kitchen.mp4", "sha256": "` + strings.ToUpper(digest) + `"}`: {File: "clips/kitchen.mp4", SHA256: digest},
		`{"id": "kitchen", "path": "clips/kitchen.mp4"}`:                                              {File: "clips/kitchen.mp4"},
		`{"id": "kitchen"}`: {File: "kitchen"},
	} {
		line := `{"schema": "omniscope.audit/1", "clip": ` + clip + `, "caption": "A dog.", "outcome": "ok", "claims": [{"id": "c1", "text": "A dog.", "verdict": "supported"}]}`
		p := peopletest.Make(t, &maker{Audits: []string{fixture.File(t, "audits.jsonl", line)}, People: 1})
		for item, err := range p.Items {
			if err != nil || len(item.Media) != 1 || item.Media[0] != want {
				t.Errorf("%s: the item has %+v (%v), want %+v", clip, item.Media, err, want)
			}
		}
		if unnamed := want.SHA256 == ""; unnamed != (len(p.Warnings) == 1) {
			t.Errorf("%s: warnings %q", clip, p.Warnings)
		}
	}
}

func idsOf(t *testing.T, p *people.Plan) (ids []string) {
	t.Helper()
	for item, err := range p.Items {
		fixture.OK(t, err)
		ids = append(ids, item.ID)
	}
	return ids
}

func TestBadInput(t *testing.T) {
	claim := `{"id": "c1", "text": "A dog.", "verdict": "supported", "says": []}`
	good := audit("a.mp4", "A dog barks.", claim) + "\n"
	file := func(text string) *maker {
		return &maker{Audits: []string{fixture.File(t, "audits.jsonl", text)}, People: 2}
	}
	for says, m := range map[string]*maker{
		"with --audits":                        newMaker(),
		"no such file":                         {Audits: []string{"none.jsonl"}, People: 2},
		"--people 0":                           {Audits: []string{"none.jsonl"}},
		"has no audits":                        file("\n"),
		"audits.jsonl:3: this is not an audit": file(good + "\n[1]\n" + good),
		"audits.jsonl:2: not JSON":             file(good + `{"schema": "omniscope.audit/1", `),
		"audits.jsonl:1: this is not an audit": file(`{"clip": "a", "caption": "A dog."}`),
		"its schema is \"x\"":                  file(strings.Replace(good, "omniscope.audit/1", "x", 1)),
		"audits.jsonl:1: the audit has no c":   file(strings.Replace(good, "a.mp4", "", 1)),
		"audits.jsonl:2: the audit of this caption of a.mp4 is there already, at": file(good + good),
		"audits.jsonl:1: two claims are called c1":                                file(audit("a", "A dog.", claim, claim)),
		"audits.jsonl:1: a claim lacks its id or text":                            file(strings.Replace(good, "A dog.\"", "\"", 1)),
		"the verdict of claim c1 is \"true\"":                                     file(strings.Replace(good, `"verdict": "supported"`, `"verdict": "true"`, 1)),
		"no audit in":                                                             file(audit("a", "")),
		"the clip's sha256 is \"12\"":                                             file(strings.Replace(good, `"start_s"`, `"sha256": "12", "start_s"`, 1)),
	} {
		if _, err := m.Make(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	p := peopletest.Make(t, &maker{Audits: []string{auditsOf(t)}, People: 2})
	if want := []string{"5 of 5 audits do not name the SHA-256 of their clip: people are shown the file of its name, whichever it is", "1 of 6 audits are left out, as they have no claims (missing: 1)"}; !slices.Equal(p.Warnings, want) {
		t.Errorf("warnings %q", p.Warnings)
	}
}

func TestTooFewToSay(t *testing.T) {
	claim := `{"id": "c1", "text": "A dog.", "verdict": "supported", "says": []}`
	w := peopletest.Open(t, Kind, peopletest.Make(t, &maker{Audits: []string{fixture.File(t, "a.jsonl", audit("a", "A dog.", claim))}, People: 2}))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	if tables, err := Kind.Tables(t.Context(), w); err != nil || tables[0].Note != "Nothing is checked yet." {
		t.Errorf("%v %v", tables, err)
	}
	does(t, w, check, "ann", "ben")
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	if err != nil || len(tables[1].Rows) != 2 || tables[1].Rows[0][2] != "not known" || !strings.Contains(tables[1].Rows[0][3], "at least 10") {
		t.Errorf("%v %v", tables, err)
	}
}
