package capricorn

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"omniscope"
)

// told writes a judgement in one line: the verdict, and the descriptions by
// subject.
func told(j judgement) string {
	out := []string{j.verdict.String()}
	for _, s := range slices.Sorted(maps.Keys(j.descriptions)) {
		out = append(out, s+"="+jsonText(j.descriptions[s]))
	}
	return strings.Join(out, " ")
}

func TestReadingAnEventOfSubjects(t *testing.T) {
	const both = `{"<a>": "a tall man", "<b>": "a girl"}`
	reply := func(verdict, descriptions string) string {
		return fmt.Sprintf(`{"event_type": %q, "reason": "because", "subject_description_in_caption": %s}`, verdict, descriptions)
	}
	const given = `correct <a>="a tall man" <b>="a girl"`
	good := reply("correctly mentioned", both)
	for _, c := range []struct {
		name, reply string
		want        string // or, with "error: " before it, part of why not
	}{
		{"the published form", good, given},
		{"with errors", reply("mentioned but with errors", both), `partial <a>="a tall man" <b>="a girl"`},
		{"one of them left out", reply("correctly mentioned", `{"<a>": null, "<b>": "a girl"}`), `correct <a>=null <b>="a girl"`},
		{"not mentioned, by nobody", reply("not mentioned", `{"<a>": null, "<b>": null}`), `not_given <a>=null <b>=null`},
		{"keys in another order", `{"subject_description_in_caption": ` + both + `, "reason": "", "event_type": "correctly mentioned"}`, given},
		{"identifiers without brackets", reply("correctly mentioned", `{"a": "a tall man", "b": "a girl"}`), given},
		{"an identifier with the first bracket only stays as it is", reply("correctly mentioned", `{"<a": "a tall man", "<b>": "a girl"}`), "error: the subject <a> is missing"},
		{"the same identifier with brackets and without: the later one counts", reply("correctly mentioned", `{"a": "x", "<b>": "a girl", "<a>": "a tall man"}`), given},
		{"even if the earlier one is said again", reply("correctly mentioned", `{"a": "x", "<b>": "a girl", "<a>": "a tall man", "a": "y"}`), given},
		{"an empty description is one", reply("correctly mentioned", `{"<a>": "", "<b>": null}`), `correct <a>="" <b>=null`},
		{"a number for a description stands as it is", reply("correctly mentioned", `{"<a>": 5, "<b>": null}`), `correct <a>=5 <b>=null`},
		{"and so does true", reply("correctly mentioned", `{"<a>": true, "<b>": "true"}`), `correct <a>=true <b>="true"`},
		{"a reason that is no text", strings.Replace(good, `"because"`, `["so"]`, 1), given},
		{"letters written as escapes", strings.Replace(good, "<a>", `\u003ca\u003e`, 1), given},

		{"in a fence", "```json\n" + good + "\n```", given},
		{"in a fence among words", "Sure.\n```json\n" + good + "\n```\nAnything else?", given},
		{"in a fence that does not end", "```json\n" + good, given},
		{"in the first of two fences", "```json\n" + good + "\n```\n```json\n{}\n```", given},
		{"in a fence without a language", "```\n" + good + "\n```", given},
		{"among words", "Here it is: " + good + " Done.", given},
		{"among words with a bracket before it", "As [asked]: " + good, "error: it is not JSON"},
		{"among words with a brace behind it", good + " (see {a})", "error: it is not JSON"},
		{"a broken fence before a good object", "```json\n{\n```\n" + good, "error: it is not JSON"},
		{"a fence that says too much around a good object", "```json\n// so\n" + good + "\n```", given},
		{"in a fence in capitals", "Of {x}:\n```JSON\n" + good + "\n```\n{y}", given},
		{"before a list", good + " [1]", "error: it is not JSON"},

		{"event_type twice: the last counts", strings.Replace(good, `{"event_type"`, `{"event_type": "not mentioned", "event_type"`, 1), given},
		{"a description twice: the last counts", reply("correctly mentioned", `{"<a>": null, "<b>": "a girl", "<a>": "a tall man"}`), given},

		{"a key too many", strings.Replace(good, `{"event_type"`, `{"sure": true, "event_type"`, 1), "error: it has 4 keys instead of event_type, reason, subject_description_in_caption"},
		{"no reason", strings.Replace(good, `"reason": "because", `, "", 1), `error: the key "reason" is missing`},
		{"no descriptions", judged("correctly mentioned"), `error: the key "subject_description_in_caption" is missing`},
		{"a key with a capital", strings.Replace(good, `"reason"`, `"Reason"`, 1), `error: the key "reason" is missing`},
		{"another type", reply("partially mentioned", both), `error: event_type is "partially mentioned"`},
		{"a type with a capital", reply("Correctly mentioned", both), `error: event_type is "Correctly mentioned"`},
		{"a type with a space", reply("correctly mentioned ", both), "error: event_type is"},
		{"the name of what never ended", reply("failed", both), `error: event_type is "failed"`},
		{"no type", strings.Replace(good, `"correctly mentioned"`, "null", 1), "error: event_type is null"},
		{"descriptions that are null", reply("correctly mentioned", "null"), "error: the descriptions are not an object"},
		{"descriptions in a list", reply("correctly mentioned", `["a tall man"]`), "error: the descriptions are not an object"},
		{"mentioned, by nobody", reply("correctly mentioned", `{"<a>": null, "<b>": null}`), "error: an event that is mentioned wants the description of a subject"},
		{"mentioned, without descriptions", reply("correctly mentioned", `{}`), "error: an event that is mentioned wants the description of a subject"},
		{"not mentioned, but described", reply("not mentioned", `{"<a>": null, "<b>": "a girl"}`), "error: an event that is not mentioned wants null for each subject"},
		{"not mentioned, without descriptions", reply("not mentioned", `{}`), "error: an event that is not mentioned wants null for each subject"},
		{"a subject missing", reply("correctly mentioned", `{"<a>": "a tall man"}`), "error: the subject <b> is missing"},
		{"a subject too many", reply("correctly mentioned", `{"<a>": "x", "<b>": "y", "<c>": "z"}`), "error: there are 3 subjects instead of <a>, <b>"},
		{"another subject", reply("correctly mentioned", `{"<a>": "x", "<c>": "z"}`), "error: the subject <b> is missing"},
		{"not mentioned: the subjects are not compared", reply("not mentioned", `{"<c>": null}`), "not_given <c>=null"},
		{"an object in a list", "[" + good + "]", "error: it is not a JSON object"},
		{"cut off", good[:len(good)-9], "error: "},
		{"words only", "It is mentioned.", "error: it is not JSON"},
		{"nothing", "", "error: the JSON ends too early"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, err := readEvent(c.reply, event{text: "<a> meets <b>", subjects: []string{"<a>", "<b>"}})
			checkReading(t, told(j), err, c.want)
			if err == nil && (!j.asked || j.outcome != omniscope.OK) {
				t.Errorf("read as %+v", j)
			}
		})
	}
}

func checkReading(t *testing.T, got string, err error, want string) {
	t.Helper()
	why, bad := strings.CutPrefix(want, "error: ")
	switch {
	case bad && (err == nil || !strings.Contains(err.Error(), why)):
		t.Errorf("error %v, want %s", err, why)
	case !bad && err != nil:
		t.Errorf("error %v, want %s", err, want)
	case !bad && got != want:
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestReadingAnEventWithoutSubjects(t *testing.T) {
	for _, c := range []struct{ name, reply, want string }{
		{"the published form", judged("correctly mentioned"), "correct"},
		{"with errors", judged("mentioned but with errors"), "partial"},
		{"not mentioned", judged("not mentioned"), "not_given"},
		{"in a fence", "```json\n" + judged("not mentioned") + "```", "not_given"},
		{"with descriptions", judged("correctly mentioned", "<a>", "a man"), "error: it has 3 keys instead of event_type, reason"},
		{"without a reason", `{"event_type": "not mentioned"}`, `error: the key "reason" is missing`},
		{"without a type", `{"reason": "not mentioned"}`, `error: the key "event_type" is missing`},
		{"a list", `["not mentioned", "because"]`, "error: it is not a JSON object"},
		{"cut off", `{"event_type": "not mentioned", "rea`, "error: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, err := readEvent(c.reply, event{class: 2, text: "rain"})
			checkReading(t, told(j), err, c.want)
		})
	}
}

func TestReadingGroups(t *testing.T) {
	many := func(n int) []string { // n descriptions, of which the first stands there n-1 times
		return append(slices.Repeat([]string{"a man"}, n-1), "a girl")
	}
	groups := func(lists ...[]string) string {
		reply := pairs{}
		for i, l := range lists {
			reply[fmt.Sprintf("category_%d", i+1)] = l
		}
		return jsonText(reply)
	}
	two := []string{"a man", "a girl"}
	for _, c := range []struct {
		name, reply string
		given       []string
		want        string // sizes of the categories
	}{
		{"all of one", `{"x": ["a man", "a girl"]}`, two, "[2]"},
		{"each of its own", `{"x": ["a man"], "y": ["a girl"]}`, two, "[1 1]"},
		{"in any order", `{"x": ["a girl", "a man"]}`, two, "[2]"},
		{"in a fence", "```json\n{\"x\": [\"a girl\", \"a man\"]}\n```", two, "[2]"},
		{"an empty category", `{"x": ["a girl", "a man"], "y": []}`, two, "[2 0]"},
		{"a category twice: the last counts", `{"x": ["a bird"], "x": ["a girl", "a man"]}`, two, "[2]"},
		{"and with it, what it leaves out", `{"x": ["a girl", "a man"], "x": ["a man"]}`, two, "error: it has 1 descriptions instead of 2"},
		{"null where a description is null", `{"x": [null, "a man"]}`, []string{"-", "a man"}, "[2]"},
		{"null in words is not null", `{"x": ["null", "a man"]}`, []string{"-", "a man"}, "error: the description null is missing"},

		{"one too few", `{"x": ["a man"]}`, two, "error: it has 1 descriptions instead of 2"},
		{"one twice", `{"x": ["a man", "a man", "a girl"]}`, two, "error: it has 3 descriptions instead of 2"},
		{"another one", `{"x": ["a man", "a bird"]}`, two, "error: the description \"a girl\" is missing"},
		{"in other words", `{"x": ["a man", "A girl"]}`, two, "error: the description \"a girl\" is missing"},
		{"null for a description", `{"x": ["a man", null]}`, two, "error: the description \"a girl\" is missing"},
		{"no category", `{}`, two, "error: it has 0 descriptions instead of 2"},
		{"a category that is no list", `{"x": "a man", "y": ["a girl"]}`, two, `error: the category "x" is not a list`},
		{"a category that is null", `{"x": ["a man", "a girl"], "y": null}`, two, `error: the category "y" is not a list`},
		{"a list in a list", `{"x": [["a man", "a girl"]]}`, two, `error: the category "x" holds something else than descriptions`},
		{"a list", `[["a man", "a girl"]]`, two, "error: it is not a JSON object"},
		{"cut off", `{"x": ["a man", "a gi`, two, "error: "},

		{"9 of 9", groups(many(9)), many(9), "[9]"},
		{"8 of 9", groups(many(8)), many(9), "error: it has 8 descriptions instead of 9"},
		{"9 of 10", groups(many(9)), many(10), "[9]"},
		{"11 of 10", groups(many(11)), many(10), "[11]"},
		{"8 of 10", groups(many(8)), many(10), "error: it has 8 descriptions instead of 10"},
		{"18 of 19", groups(many(18)), many(19), "[18]"},
		{"17 of 19", groups(many(17)), many(19), "error: it has 17"},
		{"18 of 20", groups(many(18)), many(20), "[18]"},
		{"17 of 20", groups(many(17)), many(20), "error: it has 17"},
		{"27 of 29", groups(many(27)), many(29), "[27]"},
		{"26 of 29", groups(many(26)), many(29), "error: it has 26"},
		{"27 of 30", groups(many(27)), many(30), "[27]"},
		{"33 of 30", groups(many(33)), many(30), "[33]"},
		{"26 of 30", groups(many(26)), many(30), "error: it has 26"},
		{"46 of 50: no more than 3, however many there are", groups(many(46)), many(50), "error: it has 46"},
		{"within the tolerance, with one that nobody gave", groups(append(many(9), "a bird")), many(10), "error: it has descriptions that are not in the list"},
		{"within the tolerance, without one that was given", groups(many(10)[:9]), many(10), "error: the description \"a girl\" is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var given []*description
			for _, d := range c.given {
				if d == "-" {
					given = append(given, nil)
				} else {
					given = append(given, &description{text: d})
				}
			}
			got, err := readGroups(c.reply, given)
			checkReading(t, fmt.Sprint((&grouping{groups: got}).sizes(false)), err, c.want)
		})
	}
}

// What can be read of a reply about all keypoints is kept; the next asking is
// for the rest.
func TestReadingABatch(t *testing.T) {
	events := []event{{text: "<a> runs", subjects: []string{"<a>"}}, {class: 2, text: "rain"}}
	first, second := judged("correctly mentioned", "<a>", "a man"), judged("not mentioned")
	whole := fmt.Sprintf(`{"1": %s, "2": %s}`, first, second)
	for _, c := range []struct {
		name, reply, found string
		want               string
	}{
		{"all of them", whole, `1 correct <a>="a man", 2 not_given`, ""},
		{"in a fence", "```json\n" + whole + "\n```", `1 correct <a>="a man", 2 not_given`, ""},
		{"with a number that nobody asked for", strings.Replace(whole, "{", `{"3": {}, `, 1), `1 correct <a>="a man", 2 not_given`, ""},
		{"one missing", `{"2": ` + second + `}`, "2 not_given", "error: keypoint 1: "},
		{"one broken", strings.Replace(whole, "not mentioned", "no", 1), `1 correct <a>="a man"`, `error: keypoint 2: event_type is "no"`},
		{"one of the other form", fmt.Sprintf(`{"1": %s, "2": %s}`, second, second), "2 not_given", `error: keypoint 1: the key "subject_description_in_caption" is missing`},
		{"both broken", `{"1": 1, "2": null}`, "", "error: keypoint 1: it is not a JSON object; keypoint 2: it is not a JSON object"},
		{"a number twice: the last counts", fmt.Sprintf(`{"1": null, "2": %s, "1": %s}`, second, first), `1 correct <a>="a man", 2 not_given`, ""},
		{"numbers in words", strings.NewReplacer(`"1"`, `"one"`, `"2"`, `"two"`).Replace(whole), "", "error: keypoint 1: "},
		{"a list", "[" + first + "," + second + "]", "", "error: it is not a JSON object"},
		{"cut off", whole[:len(whole)-2], "", "error: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := make(map[int]judgement)
			err := readBatch(c.reply, events, found, nil)
			checkReading(t, "", err, c.want)
			var got []string
			for i := range events {
				if j, ok := found[i]; ok {
					got = append(got, fmt.Sprintf("%d %s", i+1, told(j)))
				}
			}
			if got := strings.Join(got, ", "); got != c.found {
				t.Errorf("found %s, want %s", got, c.found)
			}
		})
	}
	found := make(map[int]judgement)
	readBatch(`{"2": `+second+`}`, events, found, nil)
	if err := readBatch(`{"1": `+first+`, "2": null}`, events, found, nil); err != nil || len(found) != 2 {
		t.Errorf("with both replies there is %v, %v", found, err)
	}
}

func TestFindingSubjects(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"<a> meets <b>", "<a> <b>"},
		{"<b> meets <a>, and <b> leaves", "<b> <a>"},
		{"nobody is there", ""},
		{"<> is nobody", ""},
		{"1 < 2 and <a> runs", "<a>"},
		{"<<a>> sits", "<a>"},
		{"a > b, <a> <> <b", "<a>"},
		{"<a> and <<a> <b>>", "<a> <b>"},
		{"<a runs", ""},
		{"runs <sbj 1>", "<sbj 1>"},
	} {
		if got := strings.Join(subjectsOf(c.text), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// Descriptions that are no texts are compared as Python compares them.
func TestInvalidDescriptions(t *testing.T) {
	given := []*description{{text: "5", json: true}, {text: "true", json: true}, nil}
	for reply, good := range map[string]bool{
		`{"x": [5, true, null]}`: true, `{"x": [5.0, 1], "y": [null]}`: true,
		`{"x": ["5", true, null]}`: false, `{"x": [5, "true", null]}`: false, `{"x": [5, false, null]}`: false, `{"x": [5, true, "null"]}`: false,
	} {
		groups, err := readGroups(reply, given)
		if (err == nil) != good {
			t.Errorf("%s: %v", reply, err)
		}
		if good && strings.Contains(reply, "5,") && jsonText(groups[0].descriptions) != "[5,true,null]" {
			t.Errorf("%s: written as %s", reply, jsonText(groups[0].descriptions))
		}
	}
}

// A reason stands in the published file as the judge gave it.
func TestInvalidReasons(t *testing.T) {
	for given, want := range map[string]string{`"so"`: `"so"`, `null`: `null`, `["x", 1]`: `["x",1]`, `NaN`: `"NaN"`, `"null"`: `"null"`} {
		ev := event{class: 2, text: "rain"}
		j, err := readEvent(`{"event_type": "not mentioned", "reason": `+given+`}`, ev)
		row, _ := asJSON(judgedEvent(ev, &j))
		if err != nil || string(row) != `{"event":"rain","judgement":"not mentioned","reason":`+want+`}` {
			t.Errorf("%s: %s, %v", given, row, err)
		}
		past := pastEvents(gjson.Parse(`{"other_event_judge": [` + string(row) + `]}`))["rain"][0]
		if again, _ := asJSON(judgedEvent(ev, &past)); string(again) != string(row) {
			t.Errorf("%s: read again as %s", row, again)
		}
	}
}

func FuzzReading(f *testing.F) {
	f.Add(judged("correctly mentioned", "<a>", "a man", "b", "-"))
	f.Add("```json\n{\"1\": {}}")
	f.Add(`{"x": ["a man", null, 5]}`)
	ev := event{text: "<a> meets <b>", subjects: []string{"<a>", "<b>"}}
	f.Fuzz(func(t *testing.T, reply string) {
		j, err := readEvent(reply, ev)
		again, err2 := readEvent(reply, ev)
		if (err == nil) != (err2 == nil) || told(j) != told(again) {
			t.Errorf("%s: first %s, then %s", reply, told(j), told(again))
		}
		if err == nil && j.mentioned() && len(j.descriptions) != 2 {
			t.Errorf("%s: read as %s", reply, told(j))
		}
		d := []*description{{text: "a man"}, nil}
		if groups, err := readGroups(reply, d); err == nil {
			n := 0
			for _, size := range (&grouping{groups: groups}).sizes(false) {
				n += size
			}
			if n != len(d) {
				t.Errorf("%s: %d descriptions in groups", reply, n)
			}
		}
		readBatch(reply, []event{ev}, map[int]judgement{}, nil)
	})
}
