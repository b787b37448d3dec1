package mcif

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
)

// smallMap is one talk of three segments with a question, and a summary of
// another talk. Rows need no order.
const smallMap = `track,sample_id,task,talk,position,langs,long_audio_alias,origin_guess
long,0,SUM,9,,en de,zz.wav,
long,1,ASR,4,,en,aa.wav,
long,2,TRANS,4,,de zh,aa.wav,
long,3,QA,4,2,en de,aa.wav,Transcript?
short,7,ASR,4,2,en,,
short,5,ASR,4,0,en,,
short,6,ASR,4,1,en,,
short,8,TRANS,4,0,de zh,,
short,9,TRANS,4,1,de zh,,
short,10,TRANS,4,2,de zh,,
short,11,QA,4,2,en de,,General
`

// pivot has outputs of one system in a folder: the second segment of the talk
// has no German.
func pivot(t *testing.T) *pivotSystem {
	t.Helper()
	dir := t.TempDir()
	for name, out := range map[string][]string{
		"audio_short_en_fixed_p":  {"5", "We begin.", "6", "Then we\ngo on.", "7", "The end.", "11", "Trees."},
		"mllm_short_en_fixed_p":   {"5", "another", "6", "another", "7", "another", "11", "another"},
		"audio_short_en_random_p": {"5", "another", "6", "another", "7", "another", "11", "another"},
		"audio_short_de_fixed_p":  {"8", "Wir beginnen.", "9", "", "10", "Das Ende.", "11", "Bäume."},
		"text_long_en_fixed_p":    {"0", "A summary.", "1", "not used", "3", "Three trees."},
		"text_long_de_random_p":   {"0", "", "2", "not used", "3", "Drei Bäume."},
	} {
		f, _ := parseName(name + "_output.xml")
		text := fixture.Read(t, outputFile(t, f.Track, f.Lang, out...))
		write(t, filepath.Join(dir, name+"_output.xml"), text)
	}
	files, _, err := findOutputs(dir)
	if err != nil || len(files) != 6 {
		t.Fatal(len(files), err)
	}
	slices.Reverse(files) // which are the best, newPivot must know
	return newPivot(files, false)
}

func TestPseudoReferences(t *testing.T) {
	m, err := loadSampleMap(t.Context(), fixture.File(t, "map.csv", smallMap))
	fixture.OK(t, err)
	p := pivot(t)
	type ref struct{ ids, iid, text, transcript, origin, path string }
	for _, c := range []struct {
		track, lang string
		want        []ref
	}{
		{"short", "en", []ref{{"5,6,7", "ASR_4", "We begin. Then we go on. The end.", "", "", ""}, {"11", "QA_4_2", "Trees.", "", "General", ""}}},
		{"short", "de", []ref{{"8,9,10", "TRANS_4", "Wir beginnen.\nDas Ende.", "We begin.\nThe end.", "", ""}, {"11", "QA_4_2", "Bäume.", "", "General", ""}}},
		{"long", "en", []ref{{"0", "SUM_9", "A summary.", "", "", "zz.en"}, {"1", "ASR_4", "We begin. Then we go on. The end.", "", "", ""}, {"3", "QA_4_2", "Three trees.", "", "", "aa.en"}}},
		{"long", "de", []ref{{"2", "TRANS_4", "Wir beginnen.\nDas Ende.", "We begin.\nThe end.", "", "aa.en"}, {"3", "QA_4_2", "Drei Bäume.", "", "", "aa.en"}}},
	} {
		t.Run(c.track+" "+c.lang, func(t *testing.T) {
			made, _, err := p.References(t.Context(), m, c.track, c.lang)
			if err != nil || made == nil {
				t.Fatal(made, err)
			}
			path := written(t, referenceNames("1.0", c.track, c.lang)[0], func(w io.Writer) error { return mcifxml.WriteReferences(w, made) })
			refs, err := mcifxml.ReadReferences(t.Context(), path, c.track, c.lang, mcifxml.Options{})
			if err != nil || len(refs.Problems) > 0 || refs.Refused("") != nil {
				t.Fatal(refs, err)
			}
			var got []ref
			for i, r := range refs.Samples {
				got = append(got, ref{r.ID, r.IID, r.Text, r.Metadata["transcript"], r.QAOrigin, r.TextPath})
				if !r.Has("audio") || !r.Has("video") || r.HasQAType || r.Text != made.Samples[i].Text {
					t.Errorf("%s is %+v", r.IID, r)
				}
			}
			equal(t, got, c.want)
		})
	}
	if made, _, err := p.References(t.Context(), m, "long", "zh"); made != nil || err != nil {
		t.Errorf("references of nothing: %+v, %v", made, err)
	}
}

// A system that stands for the references is its own likeness.
func TestPivotAgainstItself(t *testing.T) {
	m, err := loadSampleMap(t.Context(), fixture.File(t, "map.csv", smallMap))
	fixture.OK(t, err)
	p := pivot(t)
	refs, _, err := p.References(t.Context(), m, "short", "en")
	fixture.OK(t, err)
	best := slices.IndexFunc(p.files, func(f outputPath) bool { return f.Track == "short" && f.Lang == "en" })
	in := bench.Inputs{Predictions: p.files[best].Paths[0], Data: referenceFile(t, "short", "en", refs.Samples...)}
	b := Benchmark{Track: "short", Lang: "en", Scorers: lengths()}
	b.Scorers.Normalize = normalize
	_, r := scored(t, b, in)
	if wer, qa := overall(r, bench.Strict).Scores[metric.ASRWER], overall(r, bench.Strict).Scores[metric.QABERTScore]; *wer.Value != 0 || *qa.Value != 1 {
		t.Errorf("WER %v, answers %v", *wer.Value, *qa.Value)
	}
}

func TestUnreadablePivot(t *testing.T) {
	m, err := loadSampleMap(t.Context(), fixture.File(t, "map.csv", smallMap))
	fixture.OK(t, err)
	p := pivot(t)
	for _, f := range p.files {
		write(t, f.Paths[0], "<testset>")
	}
	_, _, err = p.References(t.Context(), m, "short", "en")
	mentions(t, err, omniscope.Invalid, "_output.xml:1:")
}

func TestSampleMaps(t *testing.T) {
	const head = "track,sample_id,task,talk,position,langs\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "map.csv:1: the file is empty"},
		{"a column too few", "track,sample_id,task,talk,langs\n", `map.csv:1: no field "position"`},
		{"a cell too few", head + "long,1,ASR,4,0,en\nlong,1,ASR,4\n", "map.csv:3: the row has 4 fields and the header 6"},
		{"a position in words", head + "\nlong,1,ASR,4,first,en\n", `map.csv:3: position is "first", which is no number`},
		{"an open quote", head + "long,1,ASR,4,0,\"en\n", "map.csv:2: "},
		{"an open quote in the first cell", head + "long,1,ASR,4,0,en\n\"long,1,ASR,4,0,en\nlong,1,ASR,4,0,en\n", "map.csv:3: "},
		{"a stray quote in the first cell", head + "lo\"ng,1,ASR,4,0,en\n", "map.csv:2: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := loadSampleMap(t.Context(), fixture.File(t, "map.csv", c.text))
			mentions(t, err, omniscope.Invalid, "read the sample map: ", c.want)
		})
	}
	_, err := loadSampleMap(t.Context(), filepath.Join(t.TempDir(), "map.csv"))
	mentions(t, err, omniscope.NotFound, "map.csv: no such file")
	dir := filepath.Join(t.TempDir(), "map.csv")
	fixture.OK(t, os.Mkdir(dir, 0o755))
	_, err = loadSampleMap(t.Context(), dir)
	mentions(t, err, omniscope.Invalid, "map.csv is a folder")
}

func TestPivotFiles(t *testing.T) {
	p := pivot(t)
	own := p.files[0].Paths[0]
	odd := filepath.Dir(own) + "/./" + filepath.Base(own)
	if !p.Has(own) || !p.Has(odd) || p.Has(own+"x") {
		t.Errorf("%v, %v, %v", p.Has(own), p.Has(odd), p.Has(own+"x"))
	}
}

// Answers and summaries need no outputs for segments. What cannot be made is
// told with its cause, and what is left out is counted.
func TestPivotGaps(t *testing.T) {
	m, err := loadSampleMap(t.Context(), fixture.File(t, "map.csv", smallMap))
	fixture.OK(t, err)
	notes := func(p *pivotSystem, track, lang string, samples int) []string {
		t.Helper()
		refs, notes, err := p.References(t.Context(), m, track, lang)
		if err != nil || samples == 0 && refs != nil || samples > 0 && (refs == nil || len(refs.Samples) != samples) {
			t.Fatalf("%s %s: %+v, %v", track, lang, refs, err)
		}
		return notes
	}
	equal(t, notes(pivot(t), "short", "de", 2), []string{"pseudo-references, track short, language de: 1 of 3 lines of talks left out, of which the pivot says nothing"})
	equal(t, notes(pivot(t), "long", "de", 2), []string{
		"pseudo-references, track long, language de: 1 sample left out, of which the pivot says nothing: SUM_9",
		"pseudo-references, track long, language de: 1 of 3 lines of talks left out, of which the pivot says nothing"})
	equal(t, notes(pivot(t), "long", "zh", 0), []string{"pseudo-references, track long, language zh: the pivot has no outputs of the short track in zh, which its TRANS is made of"})

	p := pivot(t)
	p.files = slices.DeleteFunc(p.files, func(f outputPath) bool { return f.Track == "short" })
	equal(t, notes(p, "long", "de", 1), []string{
		"pseudo-references, track long, language de: the pivot has no outputs of the short track in de, which its TRANS is made of",
		"pseudo-references, track long, language de: the pivot has no outputs of the short track in en, which its TRANS is made of",
		"pseudo-references, track long, language de: 1 sample left out, of which the pivot says nothing: SUM_9"})
	equal(t, notes(p, "short", "en", 0), []string{
		"pseudo-references, track short, language en: the pivot has no outputs of the short track in en, which its ASR is made of",
		"pseudo-references, track short, language en: the pivot has no outputs of the short track in en, which its QA is made of"})
}
