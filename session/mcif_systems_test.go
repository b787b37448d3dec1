package session

import (
	"strings"
	"testing"

	"omniscope"
)

const systemFiles = `
-- references/MCIF1.0.IF.long.en.ref.xml --
<testset name="MCIF1.0">
  <task track="long" text_lang="en">
    <sample id="0" iid="ASR_t1" task="ASR">
      <audio_path>a.wav</audio_path>
      <reference>The cat sat on the mat.</reference>
    </sample>
    <sample id="1" iid="QA_t1_1" task="QA" qa_type="A" qa_origin="General">
      <audio_path>a.wav</audio_path>
      <text_path>a.en</text_path>
      <reference>a cat</reference>
    </sample>
    <sample id="2" iid="SUM_t1" task="SUM">
      <audio_path>a.wav</audio_path>
      <reference>cats sit</reference>
    </sample>
  </task>
</testset>
-- outputs/me/audio_long_en_fixed_me_output.xml --
<testset name="invented" type="output">
  <task track="long" text_lang="en">
    <sample id="0">the cat sat on a mat</sample>
    <sample id="1">a cat</sample>
    <sample id="2">cats</sample>
  </task>
</testset>
-- again/audio_long_en_fixed_me_output.xml --
<testset name="invented" type="output">
  <task track="long" text_lang="en">
    <sample id="0">the cat sat on the mat</sample>
    <sample id="1">a cat</sample>
  </task>
</testset>
-- parts/audio_long_en_fixed_me_1__output.xml --
<testset name="invented" type="output">
  <task track="long" text_lang="en">
    <sample id="0">the cat sat on the mat</sample>
  </task>
</testset>
-- text/text_long_en_fixed_me_output.xml --
<testset name="invented" type="output">
  <task track="long" text_lang="en">
    <sample id="1">a cat</sample>
  </task>
</testset>
-- outputs/notes.xml --
<notes/>
-- broken/audio_long_en_fixed_it_output.xml --
<testset name="invented" type="output">
  <task track="long" text_lang="en">
    <sample id="0">cats & dogs</sample>
  </task>
</testset>
-- short/pivot/audio_short_en_fixed_pivot_output.xml --
<testset name="invented" type="output">
  <task track="short" text_lang="en">
    <sample id="5">We begin.</sample>
    <sample id="6">The end.</sample>
    <sample id="7">Trees.</sample>
  </task>
</testset>
-- short/me/audio_short_en_fixed_me_output.xml --
<testset name="invented" type="output">
  <task track="short" text_lang="en">
    <sample id="5">We begin</sample>
    <sample id="6">and end.</sample>
    <sample id="7">Trees.</sample>
  </task>
</testset>
-- map.csv --
track,sample_id,task,talk,position,langs
short,5,ASR,4,0,en
short,6,ASR,4,1,en
short,7,QA,4,1,en de
long,1,QA,4,1,en de
-- bad.csv --
track,sample_id,task,talk,position,langs
short,5,ASR,4,first,en
`

// systems scores all outputs of systems, which are found by the names of their files.
func (f *evalFolder) systems(dirs []string, settings ...setting) *evalFolder {
	f.t.Helper()
	return f.eval("mcif", "", append([]setting{func(r *evalRun) { r.systems = nil }, data("references"), networksFrom("none"), folders(dirs...)}, settings...)...)
}

func TestTablesOfSystems(t *testing.T) {
	f := enter(t, systemFiles)
	f.systems([]string{"outputs"}, lengths, out("tables")).ok()
	f.prints(`Overview \(the paper.s Table 2\)`, `long +audio +me +50\.0 +– +100\.0\* +50\.0\*`, `MCIF fix by language \(the paper.s Table 9\)`, `Failure modes`,
		`Overview \(the paper.s Table 2\), profile strict`, `stand-in scorers \(--scorers lengths\) compare lengths`, `^MCIF: outputs, by stand-in scorers$`)
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
