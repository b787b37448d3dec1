package capricorn

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/model/judge"
	"omniscope/model/marks"
)

// readers is the version of the code that reads replies; it is part of every
// score's signature. Count it up when a change can alter how a reply is read.
const readers = "capricorn3"

const (
	typeKey         = "event_type"
	reasonKey       = "reason"
	descriptionsKey = "subject_description_in_caption"
)

// readEvent reads a reply about one event as the published scorer does. It
// demands exactly the expected keys, a known type, and matching descriptions.
func readEvent(reply string, ev event) (judgement, error) {
	j, err := readObject(judge.FindJSON(reply), ev)
	if !ended(reply) {
		j.unclear = withinThought
	}
	return j, err
}

const withinThought = "the reply ends within its thought"

// ended reports whether a reply came to its answer.
func ended(reply string) bool {
	_, ok := marks.AfterThought(marks.FirstTurn(reply))
	return ok
}

func readObject(text string, ev event) (judgement, error) {
	members, err := lastOfEach(text)
	if err != nil {
		return judgement{}, err
	}
	wanted := []string{typeKey, reasonKey}
	if ev.ofSubjects() {
		wanted = append(wanted, descriptionsKey)
	}
	if err := exactly(members, wanted); err != nil {
		return judgement{}, err
	}
	j := judgement{asked: true, outcome: omniscope.OK, unclear: twoTypes(text)}
	j.reason, j.reasonJSON = reasonOf(members[reasonKey])
	verdict, ok := verdictNamed(members[typeKey].Str)
	if !ok || verdict == omniscope.Unjudged || members[typeKey].Type != gjson.String {
		return judgement{}, fmt.Errorf("event_type is %s", members[typeKey].Raw)
	}
	j.verdict = verdict
	if ev.ofSubjects() {
		j.descriptions, err = readDescriptions(members[descriptionsKey], verdict, ev)
	}
	return j, err
}

// twoTypes describes a reply with two verdicts (the published scorer counts the last); "" = it gives one.
func twoTypes(text string) string {
	list, _ := judge.Members(text)
	first := ""
	for _, m := range list {
		switch {
		case m.Key != typeKey:
		case first != "" && first != m.Value.Raw:
			return fmt.Sprintf("event_type is %s, and %s as well", first, m.Value.Raw)
		default:
			first = m.Value.Raw
		}
	}
	return ""
}

// lastInPlace reads an object. A repeated key keeps its first position and its
// last value, as in Python.
func lastInPlace(text string) ([]judge.Member, error) {
	list, err := judge.Members(text)
	if err != nil {
		return nil, err
	}
	places := make(map[string]int, len(list))
	var members []judge.Member
	for _, m := range list {
		if at, ok := places[m.Key]; ok {
			members[at] = m
			continue
		}
		places[m.Key] = len(members)
		members = append(members, m)
	}
	return members, nil
}

func lastOfEach(text string) (map[string]gjson.Result, error) {
	list, err := lastInPlace(text)
	members := make(map[string]gjson.Result, len(list))
	for _, m := range list {
		members[m.Key] = m.Value
	}
	return members, err
}

func exactly(members map[string]gjson.Result, wanted []string) error {
	for _, key := range wanted {
		if _, ok := members[key]; !ok {
			return fmt.Errorf("the key %q is missing", key)
		}
	}
	if len(members) != len(wanted) {
		return fmt.Errorf("it has %d keys instead of %s", len(members), strings.Join(wanted, ", "))
	}
	return nil
}

// readDescriptions checks the descriptions against the verdict. The published
// scorer compares the subjects only if the event is mentioned.
func readDescriptions(v gjson.Result, verdict omniscope.Verdict, ev event) (map[string]*description, error) {
	if !v.IsObject() {
		return nil, errors.New("the descriptions are not an object")
	}
	given, err := lastInPlace(v.Raw)
	if err != nil {
		return nil, err
	}
	out := make(map[string]*description, len(given))
	some := false
	for _, m := range given { // in order, because a subject may occur with brackets and without
		text := descriptionOf(m.Value)
		some = some || text != nil
		out[bracketed(m.Key)] = text
	}
	switch {
	case verdict == omniscope.NotGiven && (some || len(given) == 0):
		return nil, errors.New("an event that is not mentioned wants null for each subject")
	case verdict == omniscope.NotGiven:
		return out, nil
	case !some:
		return nil, errors.New("an event that is mentioned wants the description of a subject")
	}
	for _, s := range ev.subjects {
		if _, ok := out[s]; !ok {
			return nil, fmt.Errorf("the subject %s is missing", s)
		}
	}
	if len(out) != len(ev.subjects) {
		return nil, fmt.Errorf("there are %d subjects instead of %s", len(out), strings.Join(ev.subjects, ", "))
	}
	return out, nil
}

func bracketed(key string) string {
	if strings.HasPrefix(key, "<") {
		return key
	}
	return "<" + key + ">"
}

// descriptionOf is a description, nil for null.
func descriptionOf(v gjson.Result) *description {
	switch v.Type {
	case gjson.Null:
		return nil
	case gjson.String:
		return &description{text: v.Str}
	}
	return &description{text: v.Raw, json: true}
}

// reasonOf returns a reason's text, and also its JSON if it is not a string,
// because the published file has the JSON.
func reasonOf(v gjson.Result) (string, json.RawMessage) {
	switch v.Type {
	case gjson.String:
		return v.Str, nil
	case gjson.Null:
		return "", json.RawMessage("null")
	}
	return v.Raw, json.RawMessage(v.Raw)
}

// readGroups reads a reply about a subject's descriptions as the published
// scorer does: lists of descriptions. Their number may differ from the number
// asked about by a tolerance, which grows with that number.
func readGroups(reply string, descriptions []*description) ([]group, error) {
	members, err := lastInPlace(judge.FindJSON(reply))
	if err != nil {
		return nil, err
	}
	var groups []group
	n := 0
	seen := make(map[string]bool)
	for _, m := range members {
		if !m.Value.IsArray() {
			return nil, fmt.Errorf("the category %q is not a list", m.Key)
		}
		g := group{name: m.Key}
		for _, item := range m.Value.Array() {
			if item.IsObject() || item.IsArray() {
				return nil, fmt.Errorf("the category %q holds something else than descriptions", m.Key)
			}
			d := descriptionOf(item)
			g.descriptions = append(g.descriptions, d)
			seen[keyOf(d)] = true
			n++
		}
		groups = append(groups, g)
	}
	return groups, compareDescriptions(n, seen, descriptions)
}

func compareDescriptions(n int, seen map[string]bool, descriptions []*description) error {
	if off := max(n-len(descriptions), len(descriptions)-n); off > tolerance(len(descriptions)) {
		return fmt.Errorf("it has %d descriptions instead of %d", n, len(descriptions))
	}
	wanted := make(map[string]bool)
	for _, d := range descriptions {
		wanted[keyOf(d)] = true
		if !seen[keyOf(d)] {
			return fmt.Errorf("the description %s is missing", jsonText(d))
		}
	}
	if len(seen) != len(wanted) {
		return errors.New("it has descriptions that are not in the list")
	}
	return nil
}

// tolerance is how many descriptions a reply may have more or fewer.
func tolerance(n int) int { return min(n/10, 3) }

func jsonText(v any) string {
	text, _ := asJSON(v) // texts, lists of them and nil always encode
	return string(text)
}
