package mcif

import (
	"context"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
)

// Each option is refused where it has no use, in the words of the flags.
func TestConflictingOptions(t *testing.T) {
	file, folders := bench.Inputs{Predictions: "out.xml", Data: "ref.xml"}, bench.Inputs{Folders: []string{"outputs"}}
	short := bench.Inputs{Predictions: "out.xml", Data: "ref.xml", Limit: 1}
	for _, c := range []struct {
		name    string
		in      bench.Inputs
		options map[string]string
		says    string // "" = they go together
	}{
		{"one file", file, map[string]string{"track": "long", "language": "de"}, ""},
		{"folders", folders, nil, ""},
		{"pseudo-references", folders, map[string]string{"pseudo-references": "phi", "sample-map": "map.csv"}, ""},
		{"no file", bench.Inputs{}, nil, "--hypothesis FILE, or a folder of output files with --systems DIR"},
		{"no language", file, map[string]string{"track": "long"}, "name the --track"},
		{"an empty language for the published program", file, map[string]string{"track": "long", "language": "", "compat": "true"}, ""},
		{"no track for the published program", file, map[string]string{"language": "de", "compat": "true"}, "name the --track"},
		{"a language by its name", file, map[string]string{"track": "long", "language": "German"}, `not "German"; did you mean de?`},
		{"a language of the user's references", file, map[string]string{"track": "long", "language": "fr"}, ""},
		{"a language that the hub has not", bench.Inputs{Predictions: "out.xml"}, map[string]string{"track": "long", "language": "fr"}, "the hub has no references"},
		{"a track of folders", folders, map[string]string{"track": "long"}, "--systems finds its files"},
		{"pseudo-references of a file", file, map[string]string{"track": "long", "language": "de", "pseudo-references": "phi", "sample-map": "m"}, "--pseudo-references goes with --systems"},
		{"a map alone", folders, map[string]string{"sample-map": "m"}, "--sample-map goes with"},
		{"values for lengths", file, map[string]string{"track": "long", "language": "de", "scorers": "lengths", "scored": "v"}, "leave out one of them"},
		{"a part for the published program", short, map[string]string{"track": "long", "language": "de", "compat": "true"}, "--compat scores everything"},
	} {
		b := New()
		for _, o := range b.Options() {
			if v, ok := c.options[o.Name]; ok {
				fixture.OK(t, o.Value.Set(v))
			}
		}
		err := b.Check(c.in)
		if c.says == "" && err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if c.says != "" {
			t.Run(c.name, func(t *testing.T) { mentions(t, err, omniscope.Usage, c.says) })
		}
	}
}

func TestDownloadReferences(t *testing.T) {
	var asked []bench.DatasetFile
	ref := referenceFile(t, "long", "en", english...)
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Download: func(_ context.Context, f bench.DatasetFile) (string, []string, error) {
		asked = append(asked, f)
		return ref, []string{"from the cache"}, nil
	}}
	b := New()
	b.Track, b.Lang = "long", "en"
	e := opened(t, *b, in)
	equal(t, asked, []bench.DatasetFile{{Dataset: "FBK-MT/MCIF", Revision: "1.0", Name: "MCIF1.0.long.en.ref.xml.gz", ByHand: "give it with --reference FILE"}})
	if e.Plan().Inputs[ref] == "" || len(e.Plan().Warnings) == 0 || e.Plan().Warnings[len(e.Plan().Warnings)-1] != "from the cache" {
		t.Errorf("plan %+v", e.Plan())
	}
}

// notInstalled are networks that a machine has not.
type notInstalled struct{}

func (notInstalled) BERTScore(string) (*bench.Network[metric.Similarity], error) {
	return nil, &omniscope.Error{Kind: omniscope.NotFound, Err: errLacking}
}
func (notInstalled) COMET() (*bench.Network[float64], error) { return nil, errLacking }

var errLacking = omniscope.Usagef("it is not there")

func TestScoresWithoutTheirNetwork(t *testing.T) {
	b := Benchmark{Lang: "en"}
	s, err := b.openScorers(t.Context(), notInstalled{})
	if err != nil || s.BERTScore != nil {
		t.Fatal(err)
	}
	contains(t, s.Missing[metric.QABERTScore], "it is not there, or have the pairs in pairs.jsonl scored elsewhere")
	b.Lang = "de"
	if _, err := b.openScorers(t.Context(), notInstalled{}); err == nil {
		t.Error("trouble with an installed network is no error")
	}
}
