package eval

import (
	"os"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/tools/neuralgen"
	"omniscope/session"
)

// systems scores all outputs of systems, which are found by the names of their files.
func (f *evalFolder) systems(dirs []string, settings ...setting) *evalFolder {
	f.t.Helper()
	return f.eval("mcif", "", append([]setting{func(r *evalRun) { r.systems = nil }, data("references"), networksFrom("none"), folders(dirs...)}, settings...)...)
}

func TestTablesOfSystems(t *testing.T) {
	f := enter(t, systemFiles)
	f.systems([]string{"outputs"}, lengths, out("tables")).ok()
	f.prints(`Overview \(the paper.s Table 2\)`, `long +audio +me +50\.0 +– +100\.0\* +50\.0\*`, `MCIF fix by language \(the paper.s Table 9\)`, `Failure modes`,
		`Overview \(the paper.s Table 2\), scoring strict`, `stand-in scorers \(--scorers lengths\) compare lengths`, `^MCIF: outputs, by stand-in scorers$`)
	f.lacks(`Table 10`).warns(`left out: outputs.notes.xml \(its name is not`)
	holds(t, "tables/details.csv", `^long,audio,me,en,fixed,REC,50.00,[0-9.]*,[0-9.]*,6,0,,me_audio_long_en_fixed$`)
	exist(t, "tables/tables.md", "tables/tables.json", "tables/me_audio_long_en_fixed/report.md")
	holds(t, "tables/tables.json", `omniscope.tables/1`)

	// Parts that are missing are seen by the names of the others.
	f.systems([]string{"parts"}, out("parts-of")).ok().prints(`me_audio_long_en_fixed: shards seem to be missing, by the names of the files: 0 to 1`)
	holds(t, "parts-of/me_audio_long_en_fixed/report.md", `shards seem to be missing`)

	// Without any score it ends as the scoring of one file does.
	f.systems([]string{"text"}, out("unscored")).failsToJudge(`^no score: QA-BERTScore: not available: needs the model bert_score`)
	f.prints(`long +text +me +– +– +n/a +–`)
	if strings.Contains(f.err.Error(), "too many failures") {
		t.Error(f.err)
	}
	exist(t, "unscored/tables.md")
}

// A file that cannot be scored takes no other with it.
func TestBrokenOutputsOfSystems(t *testing.T) {
	f := enter(t, systemFiles)
	f.systems([]string{"outputs", "broken"}, out("both"))
	f.fails(omniscope.Invalid, `audio_long_en_fixed_it_output.xml:3:26: not well-formed .invalid token., at " dogs</sample>"`)
	f.prints(`long +audio +me +16\.7 +– +n/a +n/a`, `QA, SUM: not available in 1 file: needs the model bert_score`)
	exist(t, "both/tables.md", "both/me_audio_long_en_fixed/report.md")
	f.systems([]string{"broken"}, out("none")).fails(omniscope.Invalid, `audio_long_en_fixed_it_output.xml:3:26: not well-formed`)
	if strings.Contains(f.err.Error(), "partial") {
		t.Error(f.err)
	}
	gone(t, "none")

	// Systems of one name have rows of their own. What earlier commands left is reported.
	again := []string{"outputs", "again", "outputs/me"}
	f.systems(again, out("both")).fails(omniscope.Usage, `both holds what is no result of these runs`)
	f.systems(again, out("both"), force).ok()
	f.prints(`long +audio +me +16\.7 `, `long +audio +me-2 +0\.0 +– +n/a`, `me is of outputs.me, me-2 of again`,
		`me-2_audio_long_en_fixed: 1 of 3 talks, answers and summaries lack outputs or references`)
	f.lacks(`results of other commands`)
	f.systems([]string{"again"}, out("both"), force).ok()
	f.prints(`both also holds results of other commands, which are no part of these tables: me-2_audio_long_en_fixed`)
}

// Without references, the outputs of another system replace them.
func TestPseudoReferences(t *testing.T) {
	f := enter(t, systemFiles)
	pseudo := func(dirs, pivot, samples string, more ...setting) *evalFolder {
		t.Helper()
		return f.systems([]string{dirs}, append([]setting{data(""), option("pseudo-references", pivot), option("sample-map", samples)}, more...)...)
	}
	for range 2 {
		pseudo("short", "short/pivot", "map.csv", out("alike")).ok()
	}
	f.prints(`short +audio +me +25\.0`, `short +audio +pivot \(the reference\) +0\.0`,
		`the references are outputs of pivot and not made by people: scores say how alike two systems are`)
	holds(t, "alike/references/MCIF1.0.IF.short.en.ref.xml", `<reference>We begin. The end.</reference>`)
	pseudo("outputs", "short/pivot", "map.csv", out("unlike")).fails(omniscope.NotFound, `pseudo-references, track long, language en: the pivot has no outputs of the long track in en, which its QA is made of`)
	pseudo("short", "short/pivot", "map.csv", option("breakdown-qa-types", "true")).fails(omniscope.Usage, `--pseudo-references do not know the types of questions`)
	pseudo("short", "short/pivot", "bad.csv").fails(omniscope.Invalid, `read the sample map: bad.csv:2: position is "first", which is no number`)
	pseudo("short", "references", "map.csv").fails(omniscope.NotFound, `no output files under references: they are found by names such as`)
}

// A system is named, and is not a folder of outputs.
func TestSystemNames(t *testing.T) {
	f := enter(t, systemFiles)
	one := "outputs/me/audio_long_en_fixed_me_output.xml"
	f.mcif("en", one, data("references"), system("outputs")).fails(omniscope.Usage, `--system is a system.s name, and outputs is a folder: score the files in it with --systems outputs`)
	f.systems([]string{"outputs"}, system("me")).fails(omniscope.Usage, `--system names one system: leave it out`)
	f.mcif("en", one, data("references"), networksFrom("none"), system("mine"), out("named")).ok().prints(`system +mine`)
}

var neuralFiles = `
-- ref.xml --
<testset name="MCIF1.0">
  <task track="long" text_lang="de">
    <sample id="0" iid="TRANS_t1" task="TRANS">
      <audio_path>a.wav</audio_path>
      <reference>Eins.
Zwei.</reference>
      <metadata>
        <transcript>One.
Two.</transcript>
      </metadata>
    </sample>
    <sample id="1" iid="QA_t1_1" task="QA" qa_type="A" qa_origin="Abstract">
      <audio_path>a.wav</audio_path>
      <reference>Anna</reference>
    </sample>
    <sample id="2" iid="SUM_t1" task="SUM">
      <audio_path>a.wav</audio_path>
      <reference>Zahlen</reference>
    </sample>
  </task>
</testset>
-- out.xml --
` + outputs("long", "de", "0 Einer. Zwei.", "1 Maria", "2 Zahlen") + `-- comet.jsonl --
{"scorer":"comet","lang":"de","unit":"TRANS_t1","src":"One.","mt":"Einer.","ref":"Eins.","value":0.5}
{"scorer":"comet","lang":"de","unit":"TRANS_t1","src":"Two.","mt":"Zwei.","ref":"Zwei.","value":1}
`

// With models everything is scored. These have random weights, and the report says so. The
// journal and the cache remember scores, and change no digit.
func TestNeuralScoresOfMCIF(t *testing.T) {
	f := enter(t, neuralFiles)
	fixture.OK(t, neuralgen.WriteRoot("models", neuralgen.Options{Seed: 1}))
	kept := func(c *session.Calls) { c.Networks.CacheDir = "kept" }
	noCache := func(c *session.Calls) { c.Networks.NoCache = true }
	f.mcif("de", "out.xml", networksFrom("models", kept), out("first")).ok()
	f.prints(`headline +TRANS-COMET -?[0-9.]+ .* QA-BERTScore -?[0-9.]+ .* SUM-BERTScore 100\.0`, `this is not the published bert-base-multilingual-cased`,
		`this is not the published wmt22-comet-da`, `bertscore:0\.3\.13\|bertscore\.model:bert-base-multilingual-cased`, `comet:2\.2\.4\|comet\.model:wmt22-comet-da`)
	exist(t, "kept")
	id := f.results.Run.ID

	f.mcif("de", "out.xml", networksFrom("models", func(c *session.Calls) { c.Networks.CacheDir = "empty" }), out("again")).ok()
	sameFile(t, "first/units.jsonl", "again/units.jsonl")
	cached, err := os.ReadDir("empty")
	fixture.OK(t, err)
	for _, entry := range cached {
		if strings.Contains(entry.Name(), "emb") {
			t.Errorf("%s was computed again", entry.Name())
		}
	}
	f.shows("omniscope-work", "", "", false).ok().prints(`mcif out.xml`)
	matches(t, "the export", f.export("omniscope-work", ""), []string{`"step":"TRANS_t1#0/1".*"kind":"metric","source":"comet:2.2.4"`, `"step":"SUM_t1#2/0".*"kind":"metric","source":"bertscore:0.3.13"`})
	f.replay("omniscope-work", id).fails(omniscope.Usage, `eval mcif are repeated by their own commands`)

	f.mcif("de", "out.xml", networksFrom("models", noCache), work("bare-work"), out("anew")).ok()
	sameFile(t, "first/units.jsonl", "anew/units.jsonl")
	gone(t, "bare-work/journal")

	// Compat, by the cache or computed again.
	f.mcif("de", "out.xml", networksFrom("models", kept), compat).ok()
	f.prints(`^\{"state": "OK", "scores": \{"QA-BERTScore": .*, "SUM-BERTScore": 1.0, "TRANS-COMET": .*\}\}$`)
	line := f.text
	if again := f.mcif("de", "out.xml", networksFrom("models", noCache, func(c *session.Calls) { c.Networks.Threads = 1 }), compat).ok().text; again != line {
		t.Errorf("computed again it prints %s, want %s", again, line)
	}

	// Values computed elsewhere go before the model's; the rest is computed here.
	f.mcif("de", "out.xml", networksFrom("models", kept), valuesIn("comet.jsonl")).ok()
	f.prints(`TRANS-COMET 75\.0 .* SUM-BERTScore 100\.0`).lacks(`wmt22-comet-da \(`)

	// A model that is there in part is not there; the other's scores are given.
	fixture.OK(t, os.Remove("models/comet/wmt22-comet-da/tokenizer.json"))
	f.mcif("de", "out.xml", networksFrom("models", kept)).ok()
	f.prints(`TRANS-COMET – .* SUM-BERTScore 100\.0`, `TRANS-COMET: not available: needs the model comet/wmt22-comet-da`)
}
