package mcif

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/media/wav"
)

// french are the languages of the sources of these tests: one beside English, which MCIF does not have.
const french = `spoken:
  code: en
  not_answerable: No answer.
  transcribe: [Write it down.]
  summarize: [Sum it up., Be brief.]
  answer: ["Answer:"]
others:
  - code: fr
    table: french
    not_answerable: Pas de réponse.
    translate: [Traduis., Traduire.]
    summarize: [Résume.]
    answer: ["Réponds :"]
`

// tables are those of a source of two talks and one abstract. Tabs are written as |.
var tables = map[string]string{
	mainTable: "Video ID|ID|Video Link|Revised Transcript|Abstract_en|Question ID|Question Origin|Question Type|Question_en|Question_fr|Answer_en|Answer_fr|Answer Start|Answer End\n" +
		"1|1|https://aclanthology.org/one.mp4|Hello  there. |About one. |1|General Q|AV|Who?|Qui ?|Ann.|Anne.|00:00:00|00:00:02\n" +
		"1|2|https://aclanthology.org/one.mp4|Hello  there. |About one. |2|Abstract Q|NA|Why?|Pourquoi ?|||00:00:00|00:00:00\n" +
		"2|3|https://aclanthology.org/two.mp4|Bye.|About two.|1|Transcript Q|A|What?|Quoi ?|\"That\".|« Cela ».|00:00:00|00:00:00\n",
	abstractTable:                          "ID|Video Link|Abstract_en\n1|https://aclanthology.org/one.mp4|About one.\n3|https://aclanthology.org/three.mp4|About three.\n",
	transcriptTable:                        "Video Link|Revised Transcript\nhttps://aclanthology.org/one.mp4|Hello there.\n",
	fmt.Sprintf(translatedTable, "french"): "Video ID|link|c0|c1|c2|c3\n1|x|Hello|Bonjour|there.|vous.\n2|x|Bye.|Au revoir.||\n",
	fmt.Sprintf(summaryTable, "french"):    "Video ID|link|c0|c1\n1|x|About one.|Sur un.\n2|x|About two.|Sur deux.\n3|x|About three.|Sur trois.\n",
	segmentation:                           "- {wav: one.wav, offset: 0.0, duration: 1.0}\n- {wav: one.wav, offset: 1.0, duration: 1.0}\n- {wav: two.wav, offset: 0.0, duration: 1.0}\n",
}

// newSource writes a source with sound, and videos that are texts. change changes its tables.
func newSource(t *testing.T, change func(map[string]string)) Options {
	t.Helper()
	dir := t.TempDir()
	all := make(map[string]string)
	for name, text := range tables {
		all[name] = text
	}
	for _, name := range []string{"one", "two", "three"} {
		all["AUDIO/"+name+".wav"], all["VIDEO/"+name+".mp4"] = sound(3), "video of "+name
	}
	for _, name := range []string{"one_0", "one_1", "two_0"} {
		all["SEGMENTED_AUDIO/shas_segments/"+name+".wav"], all["SEGMENTED_VIDEO/"+name+".mp4"] = sound(1), "video of "+name
	}
	if change != nil {
		change(all)
	}
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, ".tsv") {
			text = strings.ReplaceAll(text, "|", "\t")
		}
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
	languages, err := decodeLanguages([]byte(french))
	fixture.OK(t, err)
	return Options{Source: dir, Out: filepath.Join(t.TempDir(), "out"), Name: "TALKS1", Longest: 30, Languages: languages}
}

// sound is a WAV file of so many seconds at 100 samples a second.
func sound(seconds int) string {
	n := 200 * seconds
	return string(wav.Header(100, 1, n)) + strings.Repeat("ab", n/2)
}

func build(t *testing.T, o Options) *Result {
	t.Helper()
	r, err := Build(t.Context(), o)
	fixture.OK(t, err)
	return r
}

func TestOtherLanguages(t *testing.T) {
	o := newSource(t, nil)
	o.Text = true
	build(t, o)
	refs, err := mcifxml.ReadReferences(t.Context(), filepath.Join(o.Out, "TALKS1.IF.long.fr.ref.xml"), "long", "fr", mcifxml.Options{})
	fixture.OK(t, err)
	got := make(map[string]string)
	for _, s := range refs.Samples {
		got[s.IID] = s.Text
	}
	want := map[string]string{"TRANS_1": "Bonjour\nvous.", "TRANS_2": "Au revoir.", "SUM_1": "Sur un.", "SUM_2": "Sur deux.", "SUM_3": "Sur trois.",
		"QA_1_1": "Anne.", "QA_1_2": "Pas de réponse.", "QA_2_3": "« Cela »."}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestJoinedSound(t *testing.T) {
	o := newSource(t, nil)
	build(t, o)
	refs, err := mcifxml.ReadReferences(t.Context(), filepath.Join(o.Out, "TALKS1.IF.short.en.ref.xml"), "short", "en", mcifxml.Options{})
	fixture.OK(t, err)
	for _, s := range refs.Samples {
		if s.IID == "QA_1_1" {
			if got := fixture.Read(t, filepath.Join(o.Out, "SHORT_AUDIOS", s.AudioPath)); got != sound(2) {
				t.Errorf("the segments of a question are not joined: %d bytes", len(got))
			}
			return
		}
	}
	t.Error("the question is not there")
}

// TestJoinedVideos builds a set with films that can be joined.
func TestJoinedVideos(t *testing.T) {
	film := clips.Made(t, "film.mp4", "-f lavfi -i testsrc2=d=1:s=64x48:r=10 -f lavfi -i sine=d=1 -c:v libx264 -c:a aac -shortest")
	o := newSource(t, func(all map[string]string) {
		for name := range all {
			if strings.HasSuffix(name, ".mp4") {
				all[name] = fixture.Read(t, film)
			}
		}
	})
	o.Video = true
	if r := build(t, o); len(r.Unjoined) > 0 {
		t.Fatal(r.Unjoined)
	}
	films, err := filepath.Glob(filepath.Join(o.Out, "SHORT_VIDEOS", "*.mp4"))
	if err != nil || len(films) != 4 {
		t.Fatalf("%d short videos, %v", len(films), err)
	}
	longest := 0.
	for _, path := range films {
		f, err := media.Probe(t.Context(), path)
		fixture.OK(t, err)
		longest = max(longest, f.Duration.Seconds())
	}
	if longest < 1.95 || longest > 2.1 {
		t.Errorf("the joined video lasts %.2f s, not 2", longest)
	}
}

func TestBadSources(t *testing.T) {
	replace := func(table, old, new string) func(map[string]string) {
		return func(all map[string]string) {
			if !strings.Contains(all[table], old) {
				t.Errorf("%q is not in %s", old, table)
			}
			all[table] = strings.Replace(all[table], old, new, 1)
		}
	}
	remove := func(name string) func(map[string]string) { return func(all map[string]string) { delete(all, name) } }
	for name, c := range map[string]struct {
		change func(map[string]string)
		want   string
	}{
		"no table":                  {remove(abstractTable), "SSUM (only abstract in English)"},
		"no column":                 {replace(mainTable, "Answer_fr", "Answer_de"), `no column "Answer_fr"`},
		"a cell too few":            {replace(mainTable, "|Anne.|", "|"), ".tsv:2:"},
		"a type that is none":       {replace(mainTable, "|A|", "|B|"), `.tsv:4: "B": Question Type is one of AV, A, V, NA`},
		"seen only":                 {replace(mainTable, "|A|", "|V|"), "give --include-video"},
		"no origin":                 {replace(mainTable, "General Q", "General"), "Question Origin is General Q"},
		"no time":                   {replace(mainTable, "00:00:02", "2 s"), `"2 s": Answer End is a time`},
		"an end before the start":   {replace(mainTable, "00:00:00|00:00:02", "00:00:09|00:00:02"), "ends before it starts"},
		"an answer after the end":   {replace(mainTable, "00:00:00|00:00:02", "00:01:00|00:01:02"), "no segment of the talk is at the time"},
		"a link to a path":          {replace(mainTable, "org/two", "org/../two"), "no plain name of a file"},
		"no question 1":             {replace(mainTable, "About two.|1|", "About two.|2|"), "no question whose Question ID is 1"},
		"two questions 1":           {replace(mainTable, "|2|Abstract", "|1|Abstract"), "a question 1 already, on line 2"},
		"no translation":            {replace(fmt.Sprintf(translatedTable, "french"), "2|x|Bye.|Au revoir.||\n", ""), "no row in"},
		"a line without its source": {replace(fmt.Sprintf(translatedTable, "french"), "|there.|", "||"), "1 sources and 2 translations"},
		"an odd cell":               {replace(fmt.Sprintf(translatedTable, "french"), "Au revoir.||", "Au revoir.|"), "an odd number"},
		"no abstract":               {replace(fmt.Sprintf(summaryTable, "french"), "3|x", "4|x"), `"3": the talk has no row in`},
		"not UTF-8":                 {replace(abstractTable, "About", "\xe9"), "is not UTF-8"},
		"no segmentation":           {remove(segmentation), "curate mcif segment"},
		"segments out of order":     {replace(segmentation, "offset: 0.0", "offset: 2.0"), "is before that of the entry above"},
		"segments apart":            {replace(segmentation, "- {wav: two.wav, offset: 0.0, duration: 1.0}\n", "- {wav: two.wav, offset: 0.0, duration: 1.0}\n- {wav: one.wav, offset: 2.0, duration: 1.0}\n"), "put the entries of a file together"},
		"a talk without segments":   {replace(segmentation, "two.wav", "four.wav"), "no segments"},
		"no sound":                  {remove("AUDIO/three.wav"), "AUDIO/three.wav"},
		"sound that is none":        {func(all map[string]string) { all["SEGMENTED_AUDIO/shas_segments/one_1.wav"] = "noise" }, "it is not a WAV file"},
		"sound that is cut off":     {func(all map[string]string) { all["SEGMENTED_AUDIO/shas_segments/one_1.wav"] = sound(1)[:99] }, "the WAV file is cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newSource(t, c.change)
			_, err := Build(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
			if omniscope.KindOf(err) == omniscope.Internal {
				t.Errorf("%v is no fault of the program", err)
			}
			if n := files(t, filepath.Dir(o.Out)); n > 0 {
				t.Errorf("%d files were written", n)
			}
		})
	}
}

func TestEarlierSetIsKept(t *testing.T) {
	o := newSource(t, nil)
	build(t, o)
	before := fixture.Read(t, filepath.Join(o.Out, "TALKS1.IF.long.en.ref.xml"))
	if _, err := Build(t.Context(), o); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("building again over it: %v", err)
	}
	if fixture.Read(t, filepath.Join(o.Out, "TALKS1.IF.long.en.ref.xml")) != before {
		t.Error("the earlier set changed")
	}
	n := files(t, o.Out)
	o.Force = true
	if build(t, o); files(t, o.Out) != n {
		t.Error("--force leaves other files than before")
	}
}

// TestUnfinishedSet builds where a killed command left files.
func TestUnfinishedSet(t *testing.T) {
	o := newSource(t, nil)
	left := filepath.Join(o.Out, unfinished, "LONG_AUDIOS")
	fixture.OK(t, os.MkdirAll(left, 0o755))
	fixture.OK(t, os.WriteFile(filepath.Join(left, "half.wav"), []byte("RI"), 0o644))
	build(t, o)
	if ondisk.IsTaken(filepath.Join(o.Out, unfinished)) || ondisk.IsTaken(filepath.Join(o.Out, "LONG_AUDIOS", "half.wav")) {
		t.Error("what the killed command left is in the set")
	}
}

func TestBadLanguages(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"twice":          {"code: fr", "code: en", "twice"},
		"a path":         {"code: fr", "code: ../fr", "letters, digits"},
		"no table":       {"table: french", "table: ''", "how its tables are called"},
		"no prompts":     {"translate: [Traduis., Traduire.]", "translate: []", "translate"},
		"misspelt":       {"    translate:", "    translat:", "translate"},
		"no fixed reply": {"not_answerable: No answer.", "not_answerable: ''", "not_answerable is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeLanguages([]byte(strings.Replace(french, c.old, c.new, 1)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}
