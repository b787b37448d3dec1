package mockllm

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// The openings that the prompts of bench/capricorn are known by.
var (
	openingEvent   = []byte("You check what a caption of a video says about one event.")
	openingDetail  = []byte("You check what a caption of a video says about one detail of that video.")
	openingBatch   = []byte("You check what a caption of a video says about several keypoints of that video.")
	openingCluster = []byte("In truth, all of the descriptions below are of one and the same subject of a video.")
)

// CapricornReply answers the prompts of bench/capricorn with JSON that its
// readers take; other requests get a text that they do not take.
//
// Whether a keypoint is mentioned, and how its subjects are described, depends on
// a hash of its text: six of ten are correctly mentioned, two with errors, two
// not, and a subject has up to three descriptions. A subject's descriptions make
// one category or two. The reason in the answer about a single keypoint is as
// long as makes the answer about size bytes.
func CapricornReply(size int) Responder {
	const sentence = "the caption says so where it tells what comes before it and what comes after it, "
	const rest = len(`{"event_type":"mentioned but with errors","reason":"","subject_description_in_caption":{"<a>":"the tall one"}}`)
	long := strings.Repeat(sentence, size/len(sentence)+1)
	reason := long[:max(len("the caption says so"), min(size-rest, len(long)))]
	return func(r *Request) Reply {
		return Reply{Content: capricornContent(r.Body, reason)}
	}
}

func capricornContent(body []byte, reason string) string {
	b := make([]byte, 0, 160+len(reason))
	switch {
	case bytes.Contains(body, openingEvent):
		event := unescape(between(body, `\nEvent: `, `\n\nThe event involves`))
		subjects := jsonList(unescape(between(body, `in angle brackets: `, `\nThe caption does not`)))
		b = appendKeypoint(b, event, reason, subjects, true)
	case bytes.Contains(body, openingDetail):
		b = appendKeypoint(b, unescape(between(body, `\nDetail: `, `\n\nCaption:`)), reason, nil, false)
	case bytes.Contains(body, openingCluster):
		b = appendGroups(b, jsonList(unescape(between(body, `as a JSON list:\n`, `\n\nCaption:`))))
	case bytes.Contains(body, openingBatch):
		b = appendBatch(b, unescape(between(body, `in its own words.\n`, `\n\nCaption:`)))
	default:
		return "This is no prompt of CapRiCorn-1K."
	}
	return string(b)
}

// between returns what stands between two markers, still with JSON's escapes,
// "" where they are not there.
func between(body []byte, before, after string) string {
	_, rest, _ := bytes.Cut(body, []byte(before))
	text, _, ok := bytes.Cut(rest, []byte(after))
	if !ok {
		return ""
	}
	return string(text)
}

// jsonList returns the members of a JSON list as JSON; null has none.
func jsonList(text string) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal([]byte(text), &list) != nil {
		return nil
	}
	return list
}

// appendKeypoint appends the answer about one keypoint. An event of subjects
// that names none can only be answered by leaving out somebody.
func appendKeypoint(b []byte, text, reason string, subjects []json.RawMessage, ofSubjects bool) []byte {
	hash := HashBody([]byte(text))
	verdict := "correctly mentioned"
	switch luck := hash % 10; {
	case luck < 2 || ofSubjects && len(subjects) == 0:
		verdict = "not mentioned"
	case luck < 4:
		verdict = "mentioned but with errors"
	}
	b = append(append(b, `{"event_type":"`...), verdict...)
	b = append(append(append(b, `","reason":"`...), reason...), '"')
	if !ofSubjects {
		return append(b, '}')
	}
	if len(subjects) == 0 {
		return append(b, `,"subject_description_in_caption":{"<nobody>":null}}`...)
	}
	b = append(b, `,"subject_description_in_caption":{`...)
	for i, subject := range subjects {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, subject...), ':')
		if verdict == "not mentioned" {
			b = append(b, "null"...)
		} else {
			b = append(b, looks[mix(hash+HashBody(subject))%uint64(len(looks))]...)
		}
	}
	return append(b, `}}`...)
}

var looks = []string{`"the tall one"`, `"somebody with a hat"`, `"the one in red"`}

// appendGroups puts descriptions into one category or two by a hash of their
// text, so that equal ones are together.
func appendGroups(b []byte, descriptions []json.RawMessage) []byte {
	var groups [2][]byte
	for _, d := range descriptions {
		g := &groups[HashBody(d)%2]
		if len(*g) > 0 {
			*g = append(*g, ',')
		}
		*g = append(*g, d...)
	}
	b = append(b, '{')
	for i, members := range groups {
		if len(members) == 0 {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `"category_`...), int64(i+1), 10)
		b = append(append(append(b, `":[`...), members...), ']')
	}
	return append(b, '}')
}

// appendBatch answers a list of keypoints, one a line: its number, its text,
// and its subjects where it is of subjects.
func appendBatch(b []byte, keypoints string) []byte {
	b = append(b, '{')
	for line := range strings.Lines(keypoints) {
		number, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ". ")
		if !ok {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, number), ':')
		text, list, ofSubjects := strings.Cut(text, " (subjects: ")
		b = appendKeypoint(b, text, "so it says", jsonList(strings.TrimSuffix(list, ")")), ofSubjects)
	}
	return append(b, '}')
}
