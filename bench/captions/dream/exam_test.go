package dream

import (
	"testing"

	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
)

// TestExam examines judges: one that compares, and others that do not.
func TestExam(t *testing.T) {
	relate := func(relation func(e examined, i int) string) captionstest.Judge {
		return func(step string, _ int, _ string) string {
			n := captionstest.Item(step)
			if n >= len(relationExam) {
				return fixture.JSON(map[string]any{"events": []string{"A dog jumps", "A man throws a ball", "A baker opens the oven", "A customer drops a coin", "A bell rings"}})
			}
			var list []map[string]string
			for i, event := range relationExam[n].events {
				list = append(list, map[string]string{"event": event, "relationship": relation(relationExam[n], i), "reason": "It says so."})
			}
			return fixture.JSON(map[string]any{"events": list})
		}
	}
	always := func(name string) captionstest.Judge { return relate(func(examined, int) string { return name }) }
	captionstest.Exam(t, New(), three, described, map[string]captionstest.Examined{
		"one that compares": {Judge: relate(func(e examined, i int) string {
			if e.entailed[i] {
				return "entailment"
			}
			return "neutral"
		}), Right: 10},
		"always entailment":    {Judge: always("entailment"), Right: 2},
		"always neutral":       {Judge: always("neutral"), Right: 2},
		"always contradiction": {Judge: always("contradiction"), Right: 2},
		"in turn":              {Judge: relate(func(_ examined, i int) string { return relations[i%3] }), Right: 2 + 2},
		"no events":            {Judge: captionstest.Always(`{"events": []}`)},
		"the format itself":    {Judge: captionstest.Always(`{"events": [{"event": "copy an event here", "relationship": "put class name here", "reason": "give your reason here"}]}`)},
	})
}
