package eval

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/session"
)

// mcif scores outputs of the long track in a language.
func (f *evalFolder) mcif(language, outputs string, settings ...setting) *evalFolder {
	f.t.Helper()
	return f.eval("mcif", outputs, append([]setting{data("ref.xml"), option("track", "long"), option("language", language)}, settings...)...)
}

// valuesIn names files of values that were scored elsewhere.
func valuesIn(paths ...string) setting {
	text, err := json.Marshal(paths)
	if err != nil {
		panic(err)
	}
	return option("scored", string(text))
}

// outputs is a file of a system's outputs. Each is an id and, if it is not empty, a text.
func outputs(track, lang string, samples ...string) string {
	b := fmt.Sprintf("<testset name=\"invented\" type=\"output\">\n  <task track=%q text_lang=%q>\n", track, lang)
	for _, s := range samples {
		if id, text, ok := strings.Cut(s, " "); ok {
			b += fmt.Sprintf("    <sample id=%q>%s</sample>\n", id, text)
		} else {
			b += fmt.Sprintf("    <sample id=%q />\n", id)
		}
	}
	return b + "  </task>\n</testset>\n"
}

var (
	lengths  = option("scorers", "lengths")
	compat   = option("compat", "true")
	language = func(name string) setting { return option("language", name) }
	modality = func(name string) setting { return option("filter-modality", name) }
)

// networksFrom names the folder of the models.
func networksFrom(root string, change ...func(*session.Calls)) setting {
	return calls(func(c *session.Calls) {
		c.Networks.Root = root
		for _, f := range change {
			f(c)
		}
	})
}

var officialFiles = `
-- ref.xml --
<?xml version='1.0' encoding='utf-8'?>
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
      <text_path>a.en</text_path>
      <reference>cats sit</reference>
    </sample>
  </task>
</testset>
-- out.xml --
` + outputs("long", "en", "0 the cat sat on a mat", "1 a cat", "2 cats") + `-- folder/notes.txt --
no references
-- french.xml --
<testset name="invented" type="output">
  <task track="long" text_lang="fr" />
</testset>
-- first.xml --
` + outputs("long", "en", "0 the cat sat on a mat") + `-- second.xml --
` + outputs("long", "en", "1 a cat", "2 cats") + `-- out.jsonl --
{"id": 0, "text": "the cat sat on a mat"}
{"id": 1, "text": "a cat"}
{"id": 2, "text": "cats"}
-- missing.xml --
` + outputs("long", "en", "0 the cat sat on a mat", "2 cats") + `-- broken.xml --
` + outputs("long", "en", "1 cats & dogs") + `-- ok.json --
{"state": "OK", "scores": {"QA-BERTScore": 1.0, "SUM-BERTScore": 0.5, "ASR-WER": 0.5}}
-- breakdown.json --
{"state": "OK", "scores": {"QA-BERTScore": 1.0, "QA-A-BERTScore": 1.0, "QA-General-BERTScore": 1.0, "SUM-BERTScore": 0.5, "ASR-WER": 0.5}}
-- missing.json --
{"state": "ERROR", "reason": "'1'", "scores": {}}
-- broken.json --
{"state": "ERROR", "reason": "not well-formed (invalid token): line 3, column 25", "scores": {}}
-- absent.json --
{"state": "ERROR", "reason": "[Errno 2] No such file or directory: 'absent.xml'", "scores": {}}
-- task.json --
{"state": "ERROR", "reason": "Task 'short' for language 'fr' not available in out.xml. Available tasks are: [('long', 'en')].", "scores": {}}
`

func TestScoresOfMCIF(t *testing.T) {
	f, none := enter(t, officialFiles), networksFrom("none")
	f.mcif("en", "out.xml", none).ok().prints(`MCIF: multimodal crosslingual instruction following`, `samples +3: 3 ok`, `ASR-WER 16\.7`,
		`QA-BERTScore, SUM-BERTScore: not available: needs the model bert_score`)
	if !strings.HasPrefix(f.dir, "omniscope-work/runs/mcif-out-") {
		t.Errorf("the results are in %s", f.dir)
	}
	f.wrote("report.md", "results.json", "results.csv", "units.jsonl", "cases.jsonl", "counts.jsonl", "pairs.jsonl")
	f.mcif("en", "out.xml", none, modality("audio"), out("audio")).ok()
	exist(t, "audio/report.md")
	holds(t, "audio/units.jsonl", `"talk":"t1".*"wer":0.16`)
	f.mcif("en", "out.xml", modality("text"), lengths, out("text")).ok().prints(`samples +2: 2 ok`)

	// What the published program stops at, scoring strict counts.
	f.mcif("en", "missing.xml", none).ok()
	f.prints(`samples +3: 2 ok, 1 missing`, `ASR-WER 16\.7`, `samples without an output \(1 sample`, `official: +stops: no score at all`)
}

// With compat the line of the published program is printed, also of what stops it.
func TestCompatOfMCIF(t *testing.T) {
	f, none := enter(t, officialFiles), networksFrom("none")
	short := []setting{option("track", "short"), language("fr"), compat}
	for _, c := range []struct {
		name, outputs string
		settings      []setting
		want          string // a file
	}{
		{"scores", "out.xml", []setting{lengths, compat}, "ok.json"},
		{"scores by question type", "out.xml", []setting{lengths, compat, option("breakdown-qa-types", "true")}, "breakdown.json"},
		{"a missing output", "missing.xml", []setting{compat, none}, "missing.json"},
		{"broken XML", "broken.xml", []setting{compat, none}, "broken.json"},
		{"broken XML on request", "broken.xml", []setting{compat, none, option("lenient-xml", "true")}, "broken.json"},
		{"no file", "absent.xml", []setting{compat, none}, "absent.json"},
		{"no file, nor references", "absent.xml", []setting{compat, none, data("folder")}, "absent.json"},
		{"another task", "out.xml", short, "task.json"},
		{"shards", "first.xml", []setting{also("second.xml"), lengths, compat}, "ok.json"},
		{"JSON Lines", "out.jsonl", []setting{lengths, compat}, "ok.json"},
	} {
		if got, want := f.mcif("en", c.outputs, c.settings...).ok().quiet().text, fixture.Read(t, c.want); got != want {
			t.Errorf("%s: it prints %swant %s", c.name, got, want)
		}
	}
	gone(t, "omniscope-work")
	for _, c := range []struct {
		outputs  string
		settings []setting
		want     string
	}{
		{"./folder//absent.xml", nil, `"reason": "\[Errno 2\] No such file or directory: .folder/absent.xml.", "scores": \{\}\}$`},
		{"folder/", nil, `"reason": "\[Errno 21\] Is a directory: .folder.",`},
		{"out.xml", []setting{data("out.xml")}, `"reason": ".task.",`},
		{"out.xml", []setting{data("folder")}, `"reason": "folder holds no references for track long, language en: `},
		{"out.xml", []setting{data(""), language("fr")}, `"reason": "Task .long. for language .fr. not available in out.xml.`},
		{"french.xml", []setting{data(""), language("fr")}, `"reason": "the hub has no references in .*fr`},
		{"out.xml", []setting{language("")}, `"reason": "Task .long. for language .. not available in out.xml. Available`},
		// A model that is not there is not the fault of the inputs, but no score either.
		{"out.xml", nil, `^\{"state": "ERROR", "reason": "QA-BERTScore, SUM-BERTScore: not available: needs [^;]*: get it [^;]*", "scores": \{"ASR-WER": 0.16666666666666666\}\}$`},
	} {
		f.mcif("en", c.outputs, append([]setting{compat, none}, c.settings...)...).ok().prints(c.want)
	}
}

var refusedFiles = `
-- folder/readme.txt --
-- ref.xml --
<testset name="MCIF1.0">
  <task track="long" text_lang="en">
    <sample id="1" iid="QA_t1_1" task="QA" qa_type="A" qa_origin="General">
      <audio_path>a.wav</audio_path>
      <reference>cats and dogs</reference>
    </sample>
  </task>
</testset>
-- out.xml --
` + outputs("long", "en", "1 cats") + `-- out.jsonl --
{"id": 1, "text": "cats"}
{"id": 1}
-- broken.xml --
` + outputs("long", "en", "1 cats & dogs")

func TestInvalidMCIF(t *testing.T) {
	f := enter(t, refusedFiles)
	bad := func(kind omniscope.Kind, outputs, want string, settings ...setting) invalidInput {
		return invalidInput{outputs, append([]setting{data("ref.xml"), option("track", "long"), language("en"), out("results")}, settings...), kind, want}
	}
	refuse(t, f, "mcif", []invalidInput{
		bad(omniscope.Invalid, "broken.xml", `broken.xml:3:26: not well-formed \(invalid token\), at " dogs</sample>": .*--lenient-xml`, option("write-output", "whole.xml")),
		bad(omniscope.Invalid, "out.xml", `broken.xml:3:26: not well-formed`, data("broken.xml")),
		bad(omniscope.NotFound, "absent.xml", `absent.xml: no such file or directory`),
		bad(omniscope.NotFound, "out.xml", `absent.xml: no such file or directory`, data("absent.xml")),
		bad(omniscope.Invalid, "out.xml", `Task .long. for language .de. not available in out.xml`, language("de")),
		bad(omniscope.Invalid, "out.jsonl", `out.jsonl:2: an output wants the fields "id" and "text": \{"id": 1\}`),
		bad(omniscope.NotFound, "out.xml", `--sample: no such sample in ref.xml: 77`, samples("1,77")),
		bad(omniscope.Invalid, "out.xml", `out.xml:3 answers sample "1", and out.xml:3 does too`, also("out.xml")),
		bad(omniscope.NotFound, "out.xml", `folder holds no references for track long, language en: it should have a file MCIF1.0.IF.long.en.ref.xml or MCIF1.0.long.en.ref.xml`, data("folder")),
		bad(omniscope.Usage, "out.xml", `the hub has no references in "fr", only in en, de, it, zh: name a file with --reference`, data(""), language("fr")),
		bad(omniscope.Usage, "out.xml", `--limit must not be negative`, limit(-1)),
		bad(omniscope.Usage, "out.xml", `--compat scores everything, as the published program does`, limit(1), compat),
		bad(omniscope.Usage, "out.xml", `--sample-map goes with --pseudo-references`, option("sample-map", "map.csv")),
		{"out.xml", []setting{data("ref.xml"), option("track", "long")}, omniscope.Usage, `name the --track, short or long, and the --language, such as de`},
		{"out.xml", []setting{data("ref.xml"), language("en"), compat}, omniscope.Usage, `name the --track`},
		{"out.xml", []setting{data("ref.xml"), option("track", "long"), language("")}, omniscope.Usage, `name the --track`},
		{"", nil, omniscope.Usage, `give a system.s outputs with --hypothesis FILE, or a folder of output files with --systems DIR`},
		{"", []setting{folders("folder"), option("track", "long")}, omniscope.Usage, `--systems finds its files, tracks, languages and modalities by itself`},
		{"", []setting{folders("folder"), option("pseudo-references", "folder")}, omniscope.Usage, `--pseudo-references goes with --systems and --sample-map FILE`},
	})
	gone(t, "results", "whole.xml")
}

// References are looked for in a folder, or on the hub. Outputs that are not there need no
// network to be reported.
func TestFindReferencesOfMCIF(t *testing.T) {
	f := enter(t, refusedFiles)
	fixture.FileIn(t, "", "folder/MCIF1.0.long.en.ref.xml", fixture.Read(t, "ref.xml"))
	f.mcif("en", "out.xml", data("folder"), lengths).ok().prints(`samples +1: 1 ok`)

	t.Setenv("HF_HOME", "hf")
	t.Setenv("HF_HUB_OFFLINE", "1")
	f.mcif("en", "out.xml", data("")).fails(omniscope.NotFound, `MCIF1.0.long.en.ref.xml.gz of dataset FBK-MT/MCIF: it is not in the cache .*hf.*, and offline mode is on: unset HF_HUB_OFFLINE, or download https://huggingface.co/datasets/FBK-MT/MCIF/resolve/1.0/MCIF1.0.long.en.ref.xml.gz yourself and give it with --reference FILE`)
	f.mcif("en", "out.xml", data(""), option("mcif-version", "1.1")).fails(omniscope.NotFound, `FBK-MT/MCIF/resolve/1.1/MCIF.long.en.ref.xml.gz yourself`)
	f.mcif("en", "out.xml", data(""), option("mcif-version", "1.1"), compat).ok().quiet()
	f.prints(`^\{"state": "ERROR", "reason": "download .*FBK-MT/MCIF/resolve/1.1/MCIF.long.en.ref.xml.gz yourself.*", "scores": \{\}\}$`)
	f.mcif("en", "absent.xml", data("")).fails(omniscope.NotFound, `absent.xml: no such file or directory`)
	if strings.Contains(f.err.Error(), "download") {
		t.Error(f.err)
	}
}

// Broken XML is read on request, and corrections are listed.
func TestLenientXML(t *testing.T) {
	f := enter(t, refusedFiles)
	f.mcif("en", "broken.xml", option("lenient-xml", "true"), lengths, out("results")).ok()
	f.prints(`broken.xml:3:25: "& dogs.*was taken as text`, `samples of files that are not well-formed XML`)
	exist(t, "results/report.md")
}

var germanFiles = `
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
    <sample id="2" iid="QA_t1_2" task="QA" qa_type="AV" qa_origin="Abstract">
      <audio_path>a.wav</audio_path>
      <reference>X</reference>
    </sample>
    <sample id="3" iid="SUM_t1" task="SUM">
      <audio_path>a.wav</audio_path>
      <reference>Zahlen</reference>
    </sample>
  </task>
</testset>
-- out.xml --
` + outputs("long", "de", "0 Einer. Zwei.", "1 Anna", "2", "3 Zahlen") + `-- other.xml --
` + outputs("long", "de", "0 Einer. Zwei.", "1 Maria", "2", "3 Zahlen") + `-- rest.jsonl --
{"id": 0, "text": "Eins & zwei\n"}
{"id": 1, "text": "Anna"}
{"id": 2, "text": ""}
{"id": 3, "text": "Zahlen"}
-- newline --

-- rest.xml --
<?xml version='1.0' encoding='utf-8'?>
<testset name="rest" type="output">
  <task track="long" text_lang="de">
    <sample id="0">Eins &amp; zwei</sample>
    <sample id="1">Anna</sample>
    <sample id="2" />
    <sample id="3">Zahlen</sample>
  </task>
</testset>
-- open.jsonl --
{"scorer":"comet","lang":"de","unit":"TRANS_t1","src":"One.","mt":"Einer.","ref":"Eins.","value":null}
{"scorer":"comet","lang":"de","unit":"TRANS_t1","src":"Two.","mt":"Zwei.","ref":"Zwei.","value":null}
{"scorer":"bertscore","lang":"de","unit":"QA_t1_1","mt":"Anna","ref":"Anna","value":null}
{"scorer":"bertscore","lang":"de","unit":"QA_t1_2","mt":"","ref":"X","value":null}
{"scorer":"bertscore","lang":"de","unit":"SUM_t1","mt":"Zahlen","ref":"Zahlen","value":null}
-- values.jsonl --
{"scorer":"comet","lang":"de","unit":"TRANS_t1","src":"One.","mt":"Einer.","ref":"Eins.","value":0.5}
{"scorer":"comet","lang":"de","unit":"TRANS_t1","src":"Two.","mt":"Zwei.","ref":"Zwei.","value":1}
{"scorer":"bertscore","lang":"de","unit":"QA_t1_1","mt":"Anna","ref":"Anna","value":0.3}
{"scorer":"bertscore","lang":"de","unit":"QA_t1_2","mt":"","ref":"X","value":0.3}
{"scorer":"bertscore","lang":"de","unit":"SUM_t1","mt":"Zahlen","ref":"Zahlen","value":0.9}
-- otherwise.jsonl --
{"scorer":"bertscore","lang":"de","unit":"QA_t1_1","mt":"Anna","ref":"Anna","value":0.25}
-- comet.jsonl --
{"scorer":"comet","lang":"de","unit":"TRANS_t1","src":"One.","mt":"Einer.","ref":"Eins.","value":0.5}
{"scorer":"comet","lang":"de","unit":"TRANS_t1","src":"Two.","mt":"Zwei.","ref":"Zwei.","value":1}
-- bert.jsonl --
{"scorer":"bertscore","lang":"de","unit":"QA_t1_1","mt":"Anna","ref":"Anna","value":0.3}
{"scorer":"bertscore","lang":"de","unit":"QA_t1_2","mt":"","ref":"X","value":0.3}
{"scorer":"bertscore","lang":"de","unit":"SUM_t1","mt":"Zahlen","ref":"Zahlen","value":0.9}
`

// Questions are scored by type and origin as well.
func TestQuestionTypesOfMCIF(t *testing.T) {
	f := enter(t, germanFiles)
	f.mcif("de", "out.xml", lengths, option("breakdown-qa-types", "true"), out("parts")).ok()
	f.prints(`QA type`, `  A +1 +100\.0`, `  AV +0 +no score +1`, `QA origin`, `  Abstract +1 +100\.0 – +1`, `official +1–2 +91\.7 – +50\.0`)
}

// What neural scorers are to compare is in pairs.jsonl. Filled in, it brings the scores.
func TestValuesScoredElsewhere(t *testing.T) {
	f, none := enter(t, germanFiles), networksFrom("none")
	f.mcif("de", "out.xml", none, out("open"))
	f.failsToJudge("^no score: TRANS-COMET: not available: needs the model comet/wmt22-comet-da: get it with `omniscope data get comet/wmt22-comet-da --models-dir none`, or have [^;]*--scored FILE; QA-BERTScore, SUM-BERTScore: not available: needs the model bert_score/de")
	f.prints(`TRANS-COMET: not available: needs the model comet/wmt22-comet-da: get it with`)
	if strings.Contains(f.err.Error(), "too many failures") {
		t.Error(f.err)
	}
	sameFile(t, "open/pairs.jsonl", "open.jsonl")
	holds(t, "open/cases.jsonl", `\[\[\{"t":"Two\."\}\],\[\{"t":"Zwei\."\}\],\[\{"t":"Zwei\."\}\]\]`)

	f.mcif("de", "out.xml", none, valuesIn("values.jsonl")).ok().prints(`TRANS-COMET 75\.0`, `QA-BERTScore 30\.0`, `SUM-BERTScore 90\.0`)
	f.mcif("de", "out.xml", none, valuesIn("comet.jsonl", "bert.jsonl"), compat).ok()
	f.prints(`^\{"state": "OK", "scores": \{"QA-BERTScore": 0.3, "SUM-BERTScore": 0.9, "TRANS-COMET": 0.75\}\}$`)
	f.mcif("de", "out.xml", none, valuesIn("comet.jsonl"), official).ok().prints(`headline +TRANS-COMET 75\.0 – · QA-BERTScore –`)
	f.mcif("de", "out.xml", valuesIn("open/pairs.jsonl")).fails(omniscope.Invalid, `open/pairs.jsonl:1: value is not filled in: `)
	f.mcif("de", "out.xml", valuesIn("absent.jsonl")).fails(omniscope.NotFound, `absent.jsonl: no such file or directory`)
	f.mcif("de", "other.xml", valuesIn("values.jsonl")).fails(omniscope.NotFound, `--scored has no value of bertscore for the hypothesis "Maria" .*: score the pairs.jsonl of these very files`)
	f.mcif("de", "out.xml", valuesIn("values.jsonl", "otherwise.jsonl")).fails(omniscope.Invalid, `otherwise.jsonl:1: value is 0.25, but values.jsonl:3 gives the same texts 0.3: leave one of them out`)
	f.mcif("de", "out.xml", valuesIn("values.jsonl"), lengths).fails(omniscope.Usage, `--scorers lengths compares lengths, and --scored has values of real scorers`)
}

// Outputs are written as the official XML. The official tools end files without a line break.
func TestWriteOutputsOfMCIF(t *testing.T) {
	f := enter(t, germanFiles)
	written := option("write-output", "whole.xml")
	f.mcif("de", "rest.jsonl", lengths, written, asDocument).ok().prints(`"schema": 1,`)
	if f.dir != "omniscope-work/runs/mcif-rest-513d4b8ddd0e" {
		t.Errorf("the results are in %s, where earlier versions do not look", f.dir)
	}
	if got, want := fixture.Read(t, "whole.xml")+"\n", fixture.Read(t, "rest.xml"); got != want {
		t.Errorf("it writes\n%s\nwant\n%s", got, want)
	}
	f.mcif("de", "whole.xml", lengths, compat).ok().prints(`"state": "OK"`)
	f.mcif("de", "rest.jsonl", lengths, option("write-output", "rest.xml")).fails(omniscope.Usage, `rest.xml is there already`)
	f.mcif("de", "rest.jsonl", lengths, written).ok() // its own file
}

var systemFiles = `
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
` + outputs("long", "en", "0 the cat sat on a mat", "1 a cat", "2 cats") + `-- again/audio_long_en_fixed_me_output.xml --
` + outputs("long", "en", "0 the cat sat on the mat", "1 a cat") + `-- parts/audio_long_en_fixed_me_1__output.xml --
` + outputs("long", "en", "0 the cat sat on the mat") + `-- text/text_long_en_fixed_me_output.xml --
` + outputs("long", "en", "1 a cat") + `-- outputs/notes.xml --
<notes/>
-- broken/audio_long_en_fixed_it_output.xml --
` + outputs("long", "en", "0 cats & dogs") + `-- short/pivot/audio_short_en_fixed_pivot_output.xml --
` + outputs("short", "en", "5 We begin.", "6 The end.", "7 Trees.") + `-- short/me/audio_short_en_fixed_me_output.xml --
` + outputs("short", "en", "5 We begin", "6 and end.", "7 Trees.") + `-- map.csv --
track,sample_id,task,talk,position,langs
short,5,ASR,4,0,en
short,6,ASR,4,1,en
short,7,QA,4,1,en de
long,1,QA,4,1,en de
-- bad.csv --
track,sample_id,task,talk,position,langs
short,5,ASR,4,first,en
`
