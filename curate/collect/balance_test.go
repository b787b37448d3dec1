package collect

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// offered are candidates of three categories, many of the first.
func offered() (list []*candidate) {
	for i := range 12 {
		category := "news"
		if i >= 8 {
			category = "sport"
		}
		if i == 11 {
			category = "music"
		}
		list = append(list, &candidate{clipSource: &clipSource{ID: fmt.Sprint("clip ", i), Category: category, Of: fmt.Sprint("channel ", i/2)}, segment: segment{End: float64(12 + 10*(i%2))}})
	}
	return list
}

func balanced(r ruleSet, seed uint64) (accepted []string, rules map[string]int) {
	c := &collecting{Options: &Options{Rules: r, Seed: seed}, all: offered()}
	if err := c.balance(context.Background()); err != nil {
		panic(err)
	}
	rules = make(map[string]int)
	for _, k := range c.all {
		if rules[k.Category+" "+k.rule]++; k.rule == "" {
			accepted = append(accepted, k.ID)
		}
	}
	return accepted, rules
}

func TestBalance(t *testing.T) {
	r := DefaultRules()
	r.OnePerSource = false
	r.MaxPerCategory = 2
	accepted, rules := balanced(r, 1)
	if len(accepted) != 5 || rules["news "] != 2 || rules["sport "] != 2 || rules["music "] != 1 || rules["news "+ruleCategory] != 6 {
		t.Errorf("two of each category: %v, %v", accepted, rules)
	}
	r.MaxPerCategory, r.MaxClips = 0, 5
	if accepted, rules = balanced(r, 1); len(accepted) != 5 || rules["music "] != 1 || rules["news "] != 2 || rules["sport "] != 2 {
		t.Errorf("five clips of five cells: %v, %v", accepted, rules)
	}
	r.MaxClips, r.MaxPerBin = 0, 3
	if accepted, _ = balanced(r, 1); len(accepted) != 6 {
		t.Errorf("three of each of two bins: %v", accepted)
	}
	r = DefaultRules()
	if accepted, rules = balanced(r, 1); len(accepted) != 6 || rules["news "+ruleSource] != 4 {
		t.Errorf("one of each source: %v, %v", accepted, rules)
	}
}

func TestSeedDecides(t *testing.T) {
	r := DefaultRules()
	r.MaxClips = 4
	first, _ := balanced(r, 1)
	again, _ := balanced(r, 1)
	if !slices.Equal(first, again) {
		t.Errorf("seed 1: %v, then %v", first, again)
	}
	different := false
	for seed := range uint64(5) {
		other, _ := balanced(r, seed+2)
		different = different || !slices.Equal(first, other)
	}
	if !different {
		t.Error("five other seeds choose the same clips")
	}
}
