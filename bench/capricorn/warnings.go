package capricorn

import (
	"fmt"

	"omniscope"
)

// warnings say of which video something was lost, and what.
func (u *unit) warnings() []string {
	warn := func(format string, args ...any) string {
		return fmt.Sprintf("video %s: ", u.v.id) + fmt.Sprintf(format, args...)
	}
	if u.unasked != "" {
		if u.outcome == omniscope.Abstained {
			return nil // an empty caption is an answer
		}
		return []string{warn("%s, it is one of the %s", u.outcome, u.unasked)}
	}
	var out []string
	failed, all := 0, 0
	for i := range u.judged {
		if u.equal[i] != i {
			continue
		}
		all++
		if u.judged[i].verdict == omniscope.Unjudged {
			failed++
		}
	}
	if failed > 0 {
		out = append(out, warn("%d of %d keypoints have no usable judgement", failed, all))
	}
	for _, name := range u.subjects {
		if g := u.strict[name]; g != nil && g.failed && !g.unasked {
			out = append(out, warn("the descriptions of %s could not be grouped", name))
		}
	}
	if u.crash != "" {
		out = append(out, warn("the published scorer raises an error: %s", u.crash))
	}
	return out
}
