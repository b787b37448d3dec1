package baseline

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestGroup(t *testing.T) {
	tests := []struct {
		name         string
		descriptions []string
		want         [][]int
	}{
		{"nothing", nil, nil},
		{"one", []string{"a man"}, [][]int{{0}}},
		{"the same words", []string{"the man", "the man"}, [][]int{{0, 1}}},
		{"an article apart", []string{"a nurse", "the nurse", "another"}, [][]int{{0, 1}, {2}}},
		{"a man and a woman", []string{"a tall man in a grey coat", "a woman with red hair"}, [][]int{{0}, {1}}},
		{"other clothes, nothing shared", []string{"a man in a grey coat", "a man in a white shirt"}, [][]int{{0}, {1}}},
		{"a bare one with one group", []string{"a man with a beard", "the man", "a woman"}, [][]int{{0, 1}, {2}}},
		{"names", []string{"Emily", "Jack", "Emily, a dancer with curly brown hair", "the dancer"}, [][]int{{0, 2, 3}, {1}}},
		{"young and old", []string{"a young woman", "an elderly woman"}, [][]int{{0}, {1}}},
		{"one of several", []string{"one of the judges", "the judge"}, [][]int{{0, 1}}},
		{"other occupations", []string{"a nurse", "a chef with a white hat", "an old fisherman"}, [][]int{{0}, {1}, {2}}},
		{"half of the words shared", []string{"a tall man", "a bald man"}, [][]int{{0}, {1}}},
		{"more than half of the words shared", []string{"a tall bald man", "the bald man with a tall hat"}, [][]int{{0, 1}}},
		{"two groups fit", []string{"a man with a beard", "a man with a white shirt", "the man"}, [][]int{{0, 2}, {1}}},
		{"nothing said", []string{"", "the man", ""}, [][]int{{0}, {1}, {2}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Group(tt.descriptions); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// checkPartition fails unless groups have every index once, each group
// ascending and the groups by their first index.
func checkPartition(t *testing.T, groups [][]int, n int) {
	t.Helper()
	var all []int
	for k, g := range groups {
		if len(g) == 0 || !slices.IsSorted(g) || k > 0 && groups[k-1][0] > g[0] {
			t.Fatalf("groups %v", groups)
		}
		all = append(all, g...)
	}
	slices.Sort(all)
	for i := range n {
		if i >= len(all) || all[i] != i {
			t.Fatalf("groups %v of %d descriptions", groups, n)
		}
	}
	if len(all) != n {
		t.Fatalf("groups %v of %d descriptions", groups, n)
	}
}

func FuzzGroup(f *testing.F) {
	f.Add("the man|a man in a grey coat||Tomas|the man")
	f.Add("one of two nurses|’s|a|\xff man in black and white|haired")
	f.Fuzz(func(t *testing.T, list string) {
		descriptions := strings.Split(list, "|")
		got := Group(descriptions)
		checkPartition(t, got, len(descriptions))
		if again := Group(descriptions); !reflect.DeepEqual(again, got) {
			t.Errorf("got %v, then %v", got, again)
		}
	})
}
