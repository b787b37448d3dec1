package bench_test

import (
	"slices"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/fixture"
)

// What a setting's String returns sets another one the same way.
func TestSettingsInManifest(t *testing.T) {
	var on, yes bool
	var text string
	var number int
	var list []string
	for _, c := range []struct {
		setting bench.Setting
		given   []string
		want    string
	}{
		{bench.Switch(&on), []string{"true"}, "true"},
		{bench.Either(&yes, "single", "batched"), []string{"batched"}, "batched"},
		{bench.Text(&text), []string{"a\nb"}, "a\nb"},
		{bench.Number(&number), []string{"7"}, "7"},
		{bench.Texts(&list), []string{"a,b", "[c]\n"}, `["a,b","[c]\n"]`},
	} {
		for _, v := range c.given {
			fixture.OK(t, c.setting.Set(v))
		}
		got := c.setting.String()
		values, err := bench.ValuesOf(c.setting, got)
		if got != c.want || err != nil || !slices.Equal(values, c.given) {
			t.Errorf("%q, which is %q (%v); want %q", got, values, err, c.want)
		}
	}
	if bench.Texts(new([]string)).String() != "" {
		t.Error("no text is not empty")
	}
	if err := bench.Switch(&on).Set("perhaps"); err == nil {
		t.Error("perhaps is true or false")
	}
	if _, err := bench.ValuesOf(bench.Texts(&list), "a,b"); err == nil {
		t.Error("a text is taken for a list")
	}
}
