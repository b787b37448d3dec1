package mcifxml

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestReferences(t *testing.T) {
	text := `<testset name="n"><task track="short" text_lang="de">
<sample id="6,7, 8" iid="TRANS_1" task="TRANS"><audio_path>a,b</audio_path><video_path/>
<reference> x
y</reference><metadata><transcript>s</transcript><more><deep/></more></metadata></sample>
<sample id="1" iid="QA_1" task="QA" qa_type="" qa_origin="General"><text_path>c</text_path><reference/></sample>
<sample id="1" iid="QA_1" task="QA"><reference>z</reference></sample>
<sample id="2" iid="QA_2" task="QA"/>
<sample id="3" iid="QA_3"><reference>z</reference></sample>
</task></testset>`
	refs, err := ReadReferences(t.Context(), fixture.File(t, "ref.xml", text), "short", "de", Options{})
	fixture.OK(t, err)
	if len(refs.Samples) != 4 || refs.Samples[3].HasText {
		t.Fatalf("samples are %+v", refs.Samples)
	}
	a, b := &refs.Samples[0], &refs.Samples[1]
	if !slices.Equal(a.IDs, []string{"6", "7", " 8"}) || a.Text != " x\ny" || a.Metadata["transcript"] != "s" || a.Line != 2 || a.HasQAType || b.Metadata != nil {
		t.Errorf("%+v", a)
	}
	if _, ok := a.Metadata["deep"]; !ok || a.AudioPath != "a,b" {
		t.Errorf("%+v", a)
	}
	if !a.Has("audio") || !a.Has("video") || a.Has("text") || !b.Has("text") || b.Has("smell") {
		t.Error("the modalities are wrong")
	}
	if !b.HasQAType || b.QAOrigin != "General" || b.HasText {
		t.Errorf("%+v", b)
	}
	wantProblem(t, refs.Problems, badReference, 5, `the reference of sample "1" is empty`)
	wantProblem(t, refs.Problems, DuplicateID, 6, `the iid "QA_1" is there already, on line 5`)
	wantProblem(t, refs.Problems, DuplicateID, 6, `sample "1" is there already, on line 5`)
	wantProblem(t, refs.Problems, badReference, 7, "has no reference element and cannot be scored")
	wantProblem(t, refs.Problems, badReference, 8, `has no attribute "task"`)
	if err := refs.Refused(""); err == nil || message(err) != "" {
		t.Errorf("the evaluation would stop at %v", err)
	}
	if n := refs.LeftOut(""); n != 1 {
		t.Errorf("%d samples are left out, want 1", n)
	}
}

// The published evaluation filters samples by their modality before it reads
// them, and then reads task, id, reference and iid in this order.
func TestReferencesWithoutModality(t *testing.T) {
	const good = `<sample id="1" iid="QA_1" task="QA"><text_path>a</text_path><reference>x</reference></sample>`
	for _, c := range []struct{ name, sample, text, audio string }{
		{"nothing wrong", `<sample id="2" iid="QA_2" task="QA"><audio_path>a</audio_path><reference>x</reference></sample>`, "none", "none"},
		{"no id", `<sample iid="QA_2" task="QA"><audio_path>a</audio_path><reference>x</reference></sample>`, "none", "'id'"},
		{"no task, no id", `<sample iid="QA_2"><audio_path>a</audio_path></sample>`, "none", "'task'"},
		{"no iid, no reference", `<sample id="2" task="QA"><audio_path>a</audio_path></sample>`, "none", ""},
		{"no iid", `<sample id="2" task="QA"><audio_path>a</audio_path><reference/></sample>`, "none", "'iid'"},
		{"an output file", `<sample id="2">x</sample>`, "none", "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := fixture.File(t, "ref.xml", `<testset name="n"><task track="long" text_lang="de">`+good+c.sample+`</task></testset>`)
			refs, err := ReadReferences(t.Context(), path, "long", "de", Options{})
			fixture.OK(t, err)
			for modality, want := range map[string]string{"text": c.text, "audio": c.audio} {
				got := "none"
				if err := refs.Refused(modality); err != nil {
					got = message(err)
				}
				if got != want {
					t.Errorf("with the filter %s it stops at %s, want %s", modality, got, want)
				}
			}
		})
	}
}

func TestQuestionMetadata(t *testing.T) {
	path := fixture.File(t, "ref.xml", `<testset name="n"><task track="long" text_lang="de">
<sample id="1" iid="QA_1" task="QA" qa_origin="General"><reference>x</reference><metadata><qa_type>AV</qa_type><qa_origin>Abstract</qa_origin></metadata></sample></task></testset>`)
	refs, err := ReadReferences(t.Context(), path, "long", "de", Options{})
	fixture.OK(t, err)
	if r := refs.Samples[0]; !r.HasQAType || r.QAType != "AV" || r.QAOrigin != "General" {
		t.Errorf("%+v", r)
	}
}

func TestMendedFilesInOfficial(t *testing.T) {
	path := fixture.File(t, "x.xml", `<testset name="n"><task track="long" text_lang="de"><sample id="1">a & b</sample><sample>c</sample></task></testset>`)
	out, err := ReadOutput(t.Context(), path, "long", "de", Options{Lenient: true})
	fixture.OK(t, err)
	refs, err := ReadReferences(t.Context(), path, "long", "de", Options{Lenient: true})
	fixture.OK(t, err)
	for _, refused := range []error{out.Refused, refs.Refused(""), refs.Refused("text")} {
		var syntax *SyntaxError
		if !errors.As(refused, &syntax) || syntax.Message != "not well-formed (invalid token): line 1, column 70" {
			t.Errorf("it stops at %v", refused)
		}
	}
}

func TestDefinitions(t *testing.T) {
	text := `<testset name="n"><task track="long" text_lang="en">
<sample id="1"><audio_path>a</audio_path><instruction>Do &lt;it&gt; </instruction></sample>
<sample id="1"/><sample/></task></testset>`
	path := fixture.File(t, "src.xml", text)
	defs, err := ReadDefinitions(t.Context(), path, "", "", Options{})
	fixture.OK(t, err)
	want := Definition{ID: "1", AudioPath: "a", HasAudioPath: true, Instruction: "Do <it> ", File: path, Line: 2}
	if len(defs.Samples) != 2 || defs.Samples[0] != want {
		t.Errorf("%+v", defs.Samples)
	}
	wantProblem(t, defs.Problems, DuplicateID, 3, "on line 2")
	wantProblem(t, defs.Problems, MissingID, 3, "has no id")
	cut, err := ReadDefinitions(t.Context(), fixture.File(t, "src.xml", text[:strings.Index(text, "</instr")]), "", "", Options{Lenient: true})
	if err != nil || len(cut.Samples) != 0 {
		t.Fatal(err, cut)
	}
	wantProblem(t, cut.Problems, cutOff, 2, `breaks off in sample "1"`)
}
