package captions

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope/internal/pyliteral"
	"omniscope/model/judge"
)

// A tally is what a judge counted of a caption, and the events that it named.
type tally struct {
	numbers
	missedEvents, incorrectEvents, hallucinatedEvents []string
}

// The numbers are what counts of a tally.
type numbers struct {
	Missed       int `json:"missed"`
	Incorrect    int `json:"incorrect"`
	Hallucinated int `json:"hallucinated"`
}

// publishedList reads a reply as the published scorer reads those to its first prompt: by
// cutting it at the keys. The numbers count, whatever the lists hold; the lists must be there.
func publishedList(reply string) (t tally, err error) {
	err = numbersBetween(reply, keyedNumber{&t.Missed, `"Missed":`, `"Incorrect"`}, keyedNumber{&t.Incorrect, `"Incorrect":`, `"Hallucination"`}, keyedNumber{&t.Hallucinated, `"Hallucination":`, `"Missed Event"`})
	for i, list := range []struct {
		to        *[]string
		key, next string
	}{
		{&t.missedEvents, `"Missed Event":`, `"Incorrect Event"`},
		{&t.incorrectEvents, `"Incorrect Event":`, `"Hallucination Event"`},
		{&t.hallucinatedEvents, `"Hallucination Event":`, `}`},
	} {
		var text string
		if err == nil {
			text, err = between(reply, list.key, list.next)
		}
		if err != nil {
			return t, err
		}
		if i < 2 { // without its last comma
			_, last := utf8.DecodeLastRuneInString(text)
			text = text[:len(text)-last]
		}
		*list.to, err = listOfEvents(text)
	}
	return t, err
}

// publishedCounts reads a reply as the published scorer reads those to its second prompt. What
// is missed, correct and incorrect must add up to all events.
func publishedCounts(reply string, events int) (t tally, err error) {
	correct := 0
	err = numbersBetween(reply, keyedNumber{&t.Missed, `"Missed":`, `"Correct"`}, keyedNumber{&correct, `"Correct":`, `"Incorrect"`}, keyedNumber{&t.Incorrect, `"Incorrect":`, `"Hallucination"`}, keyedNumber{&t.Hallucinated, `"Hallucination":`, `}`})
	if err == nil && t.Missed+correct+t.Incorrect != events {
		err = fmt.Errorf("%d missed, %d correct and %d incorrect are not %d events", t.Missed, correct, t.Incorrect, events)
	}
	return t, err
}

// between is the text between the first key and what follows it, all of it where that does
// not follow, without blanks around it.
func between(reply, key, next string) (string, error) {
	_, text, ok := strings.Cut(reply, key)
	if !ok {
		return "", fmt.Errorf("it has no %s", key)
	}
	text, _, _ = strings.Cut(text, key) // what follows a second key is cut off before the next key is looked for
	text, _, _ = strings.Cut(text, next)
	return strings.TrimFunc(text, unicode.IsSpace), nil
}

// A keyedNumber is a number between its key and the next one.
type keyedNumber struct {
	to        *int
	key, next string
}

func numbersBetween(reply string, numbers ...keyedNumber) error {
	for _, n := range numbers {
		text, err := between(reply, n.key, n.next)
		if err != nil {
			return err
		}
		if *n.to, err = strconv.Atoi(strings.TrimFunc(strings.ReplaceAll(text, ",", ""), unicode.IsSpace)); err != nil {
			return fmt.Errorf("%.40q after %s is not a whole number", text, n.key)
		}
	}
	return nil
}

// listOfEvents reads a list of JSON, or of Python.
func listOfEvents(text string) ([]string, error) {
	var list any
	if json.Unmarshal([]byte(text), &list) != nil {
		var err error
		if list, err = pyliteral.Parse(text); err != nil {
			return nil, err
		}
	}
	events, _ := eventTexts(list) // another value counts as no event
	return events, nil
}

// readTally reads a reply soundly: its object, in JSON or as Python writes it, with any text
// around it. No more events are missed or incorrect than there are. A number is not clear if its
// list has another number of events.
func readTally(reply string, events int) (t tally, err error) {
	dict, err := judge.Dict(reply)
	if err != nil {
		return t, err
	}
	for _, n := range []keyedNumber{{to: &t.Missed, key: "Missed"}, {to: &t.Incorrect, key: "Incorrect"}, {to: &t.Hallucinated, key: "Hallucination"}} {
		if *n.to, err = count(dict[n.key]); err != nil {
			return t, fmt.Errorf("the key %q: %w", n.key, err)
		}
	}
	err = t.takeLists(dict)
	t.Missed = min(t.Missed, events)
	t.Incorrect = min(t.Incorrect, events-t.Missed)
	return t, err
}

// takeLists reads the lists of a reply. Lists that are all empty were left out. A placeholder of the prompt, and an event
// that is both missed and incorrect, are not clear.
func (t *tally) takeLists(dict map[string]any) error {
	var wrong error
	listed := 0
	lost := make(map[string]bool)
	for _, list := range []struct {
		to     *[]string
		key    string
		number int
	}{{&t.missedEvents, "Missed Event", t.Missed}, {&t.incorrectEvents, "Incorrect Event", t.Incorrect}, {&t.hallucinatedEvents, "Hallucination Event", t.Hallucinated}} {
		events, err := eventTexts(dict[list.key])
		*list.to = events
		n := eventsIn(*list.to)
		listed += n
		for _, e := range *list.to {
			switch {
			case strings.Trim(e, ".… ") == "" && e != "" || strings.EqualFold(e, "xxx"):
				return fmt.Errorf("the list %q has the placeholder %q", list.key, e)
			case list.to == &t.incorrectEvents && lost[e]:
				return fmt.Errorf("the event %.60q is missed, and incorrect as well", e)
			case list.to == &t.missedEvents && eventsIn([]string{e}) > 0:
				lost[e] = true
			}
		}
		if err == nil && n != list.number && wrong == nil {
			wrong = fmt.Errorf("the list %q has %d events, and the number is %d", list.key, n, list.number)
		}
	}
	if listed == 0 {
		return nil
	}
	return wrong
}

// eventsIn counts the events of a list, without words for an empty list.
func eventsIn(events []string) (n int) {
	for _, e := range events {
		switch strings.ToLower(strings.Trim(e, " .")) {
		case "", "none", "n/a":
		default:
			n++
		}
	}
	return n
}

// count is a number of events: a whole one from 0, or a text of one.
func count(v any) (int, error) {
	n, ok := v.(float64)
	if text, isText := v.(string); isText {
		f, _, err := big.ParseFloat(strings.TrimSpace(text), 10, 64, big.ToZero)
		if err == nil {
			n, _ = f.Float64()
			ok = true
		}
	}
	switch {
	case v == nil:
		return 0, errors.New("it is not there")
	case !ok || n != float64(int(n)):
		return 0, fmt.Errorf("%v is no whole number", v)
	case n < 0:
		return 0, fmt.Errorf("%v is less than 0", v)
	}
	return int(n), nil
}
