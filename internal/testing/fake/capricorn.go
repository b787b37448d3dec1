package fake

import (
	"bytes"
	"encoding/json"
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
// one category or two. The reason in the answer about a single keypoint makes
// the answer about size bytes long.
func CapricornReply(size int) Responder {
	const sentence = "the caption says so where it tells what comes before it and what comes after it, "
	const rest = len(`{"event_type":"mentioned but with errors","reason":"","subject_description_in_caption":{"<a>":"the tall one"}}`)
	long := strings.Repeat(sentence, size/len(sentence)+1)
	reason := long[:max(len("the caption says so"), min(size-rest, len(long)))]
	return func(r *Request) Reply {
		between := func(before, after string) string { return between(r.Body, before, after) }
		var answer any
		switch {
		case bytes.Contains(r.Body, openingEvent):
			answer = keypointOf(between(`\nEvent: `, `\n\nThe event involves`), reason, subjectsIn(between(`in angle brackets: `, `\nThe caption does not`)))
		case bytes.Contains(r.Body, openingDetail):
			answer = keypointOf(between(`\nDetail: `, `\n\nCaption:`), reason, nil)
		case bytes.Contains(r.Body, openingCluster):
			answer = groupsOf(between(`as a JSON list:\n`, `\n\nCaption:`))
		case bytes.Contains(r.Body, openingBatch):
			answer = batchOf(between(`in its own words.\n`, `\n\nCaption:`))
		default:
			return Reply{Content: "This is not a prompt of CapRiCorn-1K."}
		}
		return Reply{Content: string(encode(answer))}
	}
}

// between returns the text between two markers of a JSON body, "" where they are
// not there.
func between(body []byte, before, after string) string {
	_, rest, _ := bytes.Cut(body, []byte(before))
	text, _, ok := bytes.Cut(rest, []byte(after))
	if !ok {
		return ""
	}
	return unescape(string(text))
}

// subjectsIn returns the members of a JSON list of subjects, not nil; null has no members.
func subjectsIn(list string) []string {
	subjects := []string{}
	_ = json.Unmarshal([]byte(list), &subjects) // another text has no members either
	return append([]string{}, subjects...)
}

// A keypoint is the answer about one keypoint.
type keypoint struct {
	Verdict  string             `json:"event_type"`
	Reason   string             `json:"reason"`
	Subjects map[string]*string `json:"subject_description_in_caption,omitempty"`
}

var looks = []string{"the tall one", "somebody with a hat", "the one in red"}

// keypointOf answers about one keypoint; subjects are nil for a detail. An event of
// subjects without names can only be answered by leaving out a subject.
func keypointOf(text, reason string, subjects []string) keypoint {
	hash := hashBody([]byte(text))
	k := keypoint{Verdict: "correctly mentioned", Reason: reason, Subjects: make(map[string]*string)}
	switch luck := hash % 10; {
	case luck < 2 || subjects != nil && len(subjects) == 0:
		k.Verdict = "not mentioned"
	case luck < 4:
		k.Verdict = "mentioned but with errors"
	}
	for _, subject := range subjects {
		k.Subjects[subject] = nil
		if k.Verdict != "not mentioned" {
			k.Subjects[subject] = &looks[mix(hash+hashBody([]byte(subject)))%uint64(len(looks))]
		}
	}
	if subjects != nil && len(subjects) == 0 {
		k.Subjects["<nobody>"] = nil
	}
	return k
}

// groupsOf puts the descriptions of a JSON list into one category or two by a hash
// of their text, so that equal ones are together.
func groupsOf(list string) map[string][]json.RawMessage {
	var descriptions []json.RawMessage
	_ = json.Unmarshal([]byte(list), &descriptions) // null has no members
	groups := make(map[string][]json.RawMessage)
	for _, d := range descriptions {
		name := []string{"category_1", "category_2"}[hashBody(d)%2]
		groups[name] = append(groups[name], d)
	}
	return groups
}

// batchOf answers a list of keypoints, one a line: its number, its text, and its
// subjects where it is of subjects.
func batchOf(keypoints string) map[string]keypoint {
	all := make(map[string]keypoint)
	for line := range strings.Lines(keypoints) {
		number, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ". ")
		if !ok {
			continue
		}
		text, list, ofSubjects := strings.Cut(text, " (subjects: ")
		var subjects []string
		if ofSubjects {
			subjects = subjectsIn(strings.TrimSuffix(list, ")"))
		}
		all[number] = keypointOf(text, "so it says", subjects)
	}
	return all
}
