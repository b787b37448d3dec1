package captions

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"omniscope/internal/pyliteral"
	"omniscope/model/judge"
)

// relations are what an event can be to a description.
var relations = []string{"entailment", "neutral", "contradiction"}

// unfenced takes the marks of a fence away as the published program does: only where the reply
// begins with one.
func unfenced(reply string) string {
	for _, mark := range []string{"```json", "```python"} {
		if strings.HasPrefix(reply, mark) {
			return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(reply, mark, ""), "```", ""))
		}
	}
	return reply
}

// publishedEvents reads the events of a caption as the published program does: a Python literal
// and nothing else.
func publishedEvents(reply string) ([]string, error) {
	v, err := pyliteral.Parse(unfenced(reply))
	if err != nil {
		return nil, err
	}
	d, _ := v.(pyliteral.Dict)
	list, _ := d.Get("events")
	return eventTexts(list)
}

// readEvents reads the events of a caption soundly.
func readEvents(reply string) ([]string, error) {
	d, err := judge.Dict(reply)
	if err != nil {
		return nil, err
	}
	return eventTexts(d["events"])
}

var (
	lineBreaks = regexp.MustCompile(`\n+`)
	blanks     = regexp.MustCompile(`[\s\v\x1c-\x1f\x{85}\p{Z}]+`)
	mends      = strings.NewReplacer("True", "true", "False", "false")
)

// mended makes JSON of a reply as the published program does: by replacing, in this order and
// in texts, too.
func mended(reply string) string {
	text := strings.TrimSpace(reply)
	text = blanks.ReplaceAllString(lineBreaks.ReplaceAllString(text, "\n"), " ")
	text = unfenced(text)
	if !strings.HasPrefix(text, "{") {
		text = "{" + text
	}
	if !strings.HasSuffix(text, "}") {
		text += "}"
	}
	text = mends.Replace(text)
	for _, r := range [][2]string{{"} {", "}, {"}, {"}{", "}, {"}, {", }", "}"}, {",}", "}"}, {", ]", "]"}, {",]", "]"}, {"[Placeholder]", "null"}, {"{Events:", ""}} {
		text = strings.ReplaceAll(text, r[0], r[1])
	}
	return strings.TrimSpace(text)
}

// publishedRelations reads what a reply says of so many events as the published program does.
func publishedRelations(reply string, events int) ([]string, error) {
	var found map[string]json.RawMessage // keys in their own case
	var list []map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal([]byte(mended(reply)), &found), json.Unmarshal(found["events"], &list)); err != nil {
		return nil, err
	}
	out := make([]string, len(list))
	for i, e := range list {
		if err := json.Unmarshal(e["relationship"], &out[i]); err != nil {
			return nil, err
		}
	}
	return known(out, events)
}

// readRelations reads what a reply says of events soundly. A reply that has an event twice instead of another, a
// reason that begins with another relationship, or the words of the format is not clear.
func readRelations(reply string, events []string) ([]string, error) {
	d, err := judge.Dict(reply)
	if err != nil {
		return nil, err
	}
	list, ok := d["events"].([]any)
	if !ok {
		return nil, errors.New(`it has no list "events"`)
	}
	out := make([]string, len(list))
	for i, v := range list {
		e, _ := v.(map[string]any)
		out[i], _ = e["relationship"].(string)
	}
	if out, err = known(out, len(events)); err != nil {
		return nil, err
	}
	return out, contradicts(list, out, events)
}

var (
	// statedFirst is the relationship that a reason begins with.
	statedFirst = regexp.MustCompile(`(?i)^[^\pL\pN]*(?:(?:this|it|that) is (?:an? )?)?(entailment|neutral|contradiction)\b`)
	notSaid     = regexp.MustCompile(`(?i)^[^\pL\pN]*(?:(?:the |this )?(?:video )?description|it) (?:does not|doesn['’]t) (?:mention|say|state|describe)\b`)
)

// contradicts compares the relationships of a reply's list with its reasons, and its events with those asked about.
func contradicts(list []any, found, events []string) error {
	left := make(map[string]int)
	for _, e := range events {
		left[e]++
	}
	for i, v := range list {
		e, _ := v.(map[string]any)
		event, _ := e["event"].(string)
		reason, _ := e["reason"].(string)
		first := ""
		if m := statedFirst.FindStringSubmatch(reason); m != nil {
			first = strings.ToLower(m[1])
		}
		n, asked := left[event]
		if asked {
			left[event] = n - 1
		}
		switch {
		case asked && n <= 0:
			return contradiction(fmt.Sprintf("it speaks of the event %.60q more often than it is in the list", event))
		case event == "copy an event here" || reason == "give your reason here":
			return contradiction(fmt.Sprintf("event %d has the words of the format", i+1))
		case first != "" && first != found[i]:
			return contradiction(fmt.Sprintf("the relationship of event %d is %q, and its reason begins with %q", i+1, found[i], first))
		case found[i] == relations[0] && notSaid.MatchString(reason):
			return contradiction(fmt.Sprintf("the relationship of event %d is %q, and its reason %.60q", i+1, found[i], reason))
		}
	}
	if !speaksOf(list, events) {
		return contradiction("its events are not in the list")
	}
	return nil
}

// speaksOf reports whether a reply's events share a word with those asked about. Events without words, such as numbers, may.
func speaksOf(list []any, events []string) bool {
	asked := make(map[string]bool)
	for _, w := range longWords.FindAllString(strings.ToLower(strings.Join(events, " ")), -1) {
		asked[w] = true
	}
	foreign := false
	for _, v := range list {
		e, _ := v.(map[string]any)
		event, _ := e["event"].(string)
		for _, w := range longWords.FindAllString(strings.ToLower(event), -1) {
			if asked[w] {
				return true
			}
			foreign = foreign || w != "event"
		}
	}
	return !foreign
}

// longWords leaves out articles and the like, which any two events share.
var longWords = regexp.MustCompile(`\pL{4,}`)

// known checks that a reply speaks of every event, in the three words that there are.
func known(found []string, events int) ([]string, error) {
	if len(found) != events {
		return nil, fmt.Errorf("it speaks of %d events, and there are %d", len(found), events)
	}
	for i := range found {
		if found[i] = strings.ToLower(strings.TrimSpace(found[i])); !slices.Contains(relations, found[i]) {
			return nil, fmt.Errorf("the relationship of event %d is %q, none of %s", i+1, found[i], strings.Join(relations, ", "))
		}
	}
	return found, nil
}
