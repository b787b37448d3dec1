package capricorn

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"omniscope"
)

// A keeper keeps the first judgement of an event that the published scorer takes. A judgement that contradicts
// itself is one for it; strict scoring asks again.
type keeper struct {
	strict bool
	first  *judgement // nil = no reply could be used
}

// take returns why a judgement, or the reply that it should be in, cannot be used.
func (k *keeper) take(j judgement, err error) error {
	if err != nil {
		return err
	}
	if k.first == nil {
		k.first = &j
	}
	if k.strict {
		return j.contradiction()
	}
	return nil
}

// judgement is that of the event: last is what the askings ended in.
func (k *keeper) judgement(last judgement) judgement {
	if k.first == nil || k.first.contradiction() == nil {
		return last
	}
	clear := last
	if why := last.contradiction(); why != nil { // official scoring does not ask again
		clear = judgement{asked: true, outcome: omniscope.Unparsed, reason: why.Error(), attempts: last.attempts}
	}
	out := *k.first
	out.outcome, out.attempts, out.clear = omniscope.OK, last.attempts, &clear
	return out
}

// contradiction returns what is wrong with a judgement if its reason means another verdict, or if it was copied
// from the format of the prompt. A reason that is about a part of the event contradicts nothing.
func (j *judgement) contradiction() error {
	if j.unclear != "" {
		return errors.New(j.unclear)
	}
	for _, d := range j.descriptions {
		if d != nil && !d.json && noDescription.MatchString(d.text) {
			return fmt.Errorf("the description %q is a placeholder, or words for null", d.text)
		}
	}
	return j.otherReason()
}

// otherReason returns what is wrong with a reason that means another verdict, or is a placeholder.
func (j *judgement) otherReason() error {
	reason := strings.TrimSpace(j.reason)
	switch {
	case j.verdict == omniscope.Unjudged || reason == "":
		return nil
	case strings.Trim(reason, ".… ") == "" || strings.EqualFold(strings.Trim(reason, " ."), "one sentence"):
		return errors.New("the reason is the placeholder of the format")
	}
	for v, name := range judgementNames {
		if v != j.verdict && v != omniscope.Unjudged && strings.EqualFold(strings.Trim(reason, ` ."`), name) {
			return j.otherwise(reason)
		}
	}
	if j.mentioned() && saysNothingOfIt.MatchString(reason) || j.verdict == omniscope.NotGiven && saysIt.MatchString(reason) {
		return j.otherwise(reason)
	}
	return nil
}

func (j *judgement) otherwise(reason string) error {
	return fmt.Errorf("event_type is %q, and the reason %.60q", judgementNames[j.verdict], reason)
}

// noDescription is a placeholder of the prompt, or words for null.
var noDescription = regexp.MustCompile(`(?i)^[^\pL\pN]*(?:description(?: or null)?|null|none|n/?a|not (?:mentioned|given|described)|\.{3}|…)[^\pL\pN]*$`)

// Reasons that are about the entire event alone.
var (
	wholeEvent      = `(?:\s+(?:it|this|that|(?:the|this) (?:event|detail|keypoint)|anything|any of (?:it|this)|at all|anywhere|(?:in|by) the caption))*\W*$`
	subjectOfReason = `^\W*(?:(?:(?:the|this) (?:caption|description|text|event|detail|keypoint)|it)\s+)?`
	saysNothingOfIt = regexp.MustCompile(`(?i)` + subjectOfReason + `(?:(?:is|was)\s+)?(?:not|never|does not|doesn['’]t|did not|didn['’]t)\s+(?:at all )?(?:mention(?:s|ed)?|describe[sd]?|state[sd]?|include[sd]?|speak of|refer to)` + wholeEvent)
	saysIt          = regexp.MustCompile(`(?i)` + subjectOfReason + `(?:(?:is|was)\s+)?(?:correctly|explicitly|clearly|accurately)\s+(?:mention(?:s|ed)?|describe[sd]?|state[sd]?)` + wholeEvent)
)
