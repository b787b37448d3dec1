package choice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/internal/sha256hex"
	"omniscope/model/judge/letters"
)

// MMAU makes the benchmark MMAU (arXiv 2410.19168): questions about sound, music and speech. The
// published scorer compares the words of the answer and of the options.
func MMAU() bench.Benchmark {
	return newBenchmark(protocol{
		Name: "mmau", Title: "MMAU: questions about sound, music and speech",
		Paper: "arXiv 2410.19168", Licence: "data: Sakshi113/MMAU, Apache-2.0; bring your own copy",
		Hears: true,
		Needs: []bench.Need{
			{Part: "annotations", Page: "https://github.com/Sakshi113/MMAU", Names: []string{"mmau-test*.json"}, Licence: "Apache-2.0", Flag: "--data"},
			{Part: "media", Page: "https://github.com/Sakshi113/MMAU", Flag: "--media"},
		},
		Data:    "the benchmark's file, such as mmau-test-mini.json",
		Answers: "file of answers: rows with id and model_output",
		Fields:  []string{"model_output", "model_prediction", "response"},
		IDs:     []string{"id"},
		Read:    readMMAU,
		Count:   byWords,
		InWords: true,
	})
}

func readMMAU(row []byte, _ string, _ int) ([]question, error) {
	v := gjson.ParseBytes(row)
	options, audio, id := textsOf(v.Get("choices")), bench.ID(v.Get("audio_id")), bench.ID(v.Get("id"))
	q := question{
		ID: id, Clip: []string{audio, id}, Media: omniscope.Media{Audio: audio}, Text: v.Get("question").Str,
		Options: options, Gold: indexOf(v.Get("answer").String(), options),
		Tags: bench.Tags("task", v.Get("task").Str, "difficulty", v.Get("difficulty").Str, "category", firstOf(v.Get("category")), "subcategory", v.Get("sub-category").Str),
	}
	return []question{q}, nil
}

// MMAR makes the benchmark MMAR (arXiv 2505.13032): questions about sound, music, speech and their
// mixtures. The published scorer compares words, as MMAU's does.
func MMAR() bench.Benchmark {
	return newBenchmark(protocol{
		Name: "mmar", Title: "MMAR: questions about sound, music, speech and their mixtures",
		Paper: "arXiv 2505.13032", Licence: "data: ddlBoJack/MMAR, CC BY-NC 4.0; bring your own copy",
		Hears:   true,
		Needs:   bench.NeedsOf("BoJack/MMAR", "CC BY-NC 4.0", "MMAR-meta.json*"),
		Data:    "the benchmark's file, MMAR-meta.jsonl or MMAR-meta.json",
		Answers: "file of answers: rows with id and answer_prediction",
		Fields:  []string{"answer_prediction", "model_output", "response"},
		IDs:     []string{"id"},
		Read:    readMMAR,
		Count:   byWords,
		InWords: true,
	})
}

func readMMAR(row []byte, _ string, _ int) ([]question, error) {
	v := gjson.ParseBytes(row)
	if v.Get("audio_path").Str == "" { // MMAU's rows have audio_id, and would be read as questions without a recording
		return nil, bench.NoField("audio_path", bench.FieldsOf(row))
	}
	options, audio, id := textsOf(v.Get("choices")), v.Get("audio_path").Str, bench.ID(v.Get("id"))
	return []question{{
		ID: id, Clip: []string{id, audio}, Media: omniscope.Media{Audio: audio}, Text: v.Get("question").Str,
		Options: options, Gold: indexOf(v.Get("answer").String(), options),
		Tags: bench.Tags("modality", v.Get("modality").Str, "category", v.Get("category").Str, "subcategory", v.Get("sub-category").Str, "language", v.Get("language").Str),
	}}, nil
}

// VideoMME makes the benchmark Video-MME (arXiv 2405.21075): questions about videos of three lengths.
// The published scorer takes the first capital letter, and leaves answers without one out.
func VideoMME() bench.Benchmark {
	return newBenchmark(protocol{
		Name: "video-mme", Title: "Video-MME: questions about short, medium and long videos",
		Paper: "arXiv 2405.21075", Licence: "data: lmms-lab/Video-MME, academic research only, not to be passed on; bring your own copy",
		Sees: true,
		Needs: []bench.Need{
			{Part: "annotations", Dataset: "lmms-lab/Video-MME", Names: []string{"*.parquet"}, Licence: "academic research only", Flag: "--data"},
			{Part: "media", Dataset: "lmms-lab/Video-MME", YouTube: true, Flag: "--media"},
		},
		Data:    "the benchmark's questions: its table in Parquet or as JSON Lines, or the template of\nits results",
		Answers: "file of answers: rows with question_id and response, or the filled-in template of results\n(output_test_template.json)",
		Fields:  []string{"response", "answer", "prediction"},
		IDs:     []string{"question_id", "id"},
		Results: videoMMEResults,
		Form:    rows.Layout{Lax: true},
		Read:    readVideoMME,
		Count:   byLetter(mustFind("video-mme"), omniscope.Unjudged),
	})
}

// readVideoMME reads a row of the table, or a video of the template with its questions.
func readVideoMME(row []byte, _ string, _ int) (all []question, err error) {
	v := gjson.ParseBytes(row)
	of := bench.Tags("duration", v.Get("duration").Str, "domain", v.Get("domain").Str, "subcategory", v.Get("sub_category").Str)
	clip := []string{v.Get("video_id").String()}
	if id := bench.ID(v.Get("videoID")); id != "" {
		clip = append(clip, id)
	}
	questions := []gjson.Result{v}
	if list := v.Get("questions"); list.IsArray() {
		questions = list.Array()
	}
	for _, q := range questions {
		options := bench.WithoutLetters(textsOf(q.Get("options")))
		all = append(all, question{
			ID: bench.ID(q.Get("question_id")), Clip: clip, Media: omniscope.Media{Video: clip[len(clip)-1] + ".mp4"}, Text: q.Get("question").Str,
			Options: options, Gold: letters.Index(q.Get("answer").Str, len(options)),
			Tags: slices.Concat(bench.Tags("task_type", q.Get("task_type").Str), of),
		})
	}
	return all, nil
}

// videoMMEResults are the answers in the filled-in template (evaluation/output_test_template.json of MME-Benchmarks/Video-MME). A
// response that is empty there was never filled in.
func videoMMEResults(video gjson.Result) (answers [][]byte) {
	if video.Get("questions").IsArray() {
		answers = [][]byte{}
	}
	for _, q := range video.Get("questions").Array() {
		if q.Get("response").String() != "" && q.Get("question_id").Exists() {
			answers = append(answers, with(q, "video_id", video.Get("video_id").String()))
		}
	}
	return answers
}

// VideoHolmes makes the benchmark Video-Holmes (arXiv 2505.21374): questions about suspense films. The
// published scorer reads <answer>, else the complete reply, and counts failures as wrong.
func VideoHolmes() bench.Benchmark {
	return newBenchmark(protocol{
		Name: "video-holmes", Title: "Video-Holmes: questions about suspense films",
		Paper: "arXiv 2505.21374", Licence: "data: TencentARC/Video-Holmes, Apache-2.0 for academic purpose only; bring your own copy",
		Sees:    true,
		Needs:   bench.NeedsOf("TencentARC/Video-Holmes", "Apache-2.0, academic purpose only", "*Video-Holmes.json"),
		Data:    "the benchmark's file, test_Video-Holmes.json",
		Answers: "file of answers: rows with id (VIDEO/QUESTION) and answer, or the file of results\nthat evaluate.py writes (Results-MODEL.json)",
		Fields:  []string{"answer", "response", "prediction", predicted},
		IDs:     []string{"id"},
		Results: videoHolmesResults,
		Read:    readVideoHolmes,
		Count:   byLetter(mustFind("video-holmes"), omniscope.Wrong),
		Say:     asTag,
		Lacking: omniscope.Wrong,
	})
}

// readVideoHolmes names a question by video and number: each video may count its questions from 1.
func readVideoHolmes(row []byte, _ string, _ int) ([]question, error) {
	v := gjson.ParseBytes(row)
	video := v.Get("video ID").String()
	q := question{
		ID: video + "/" + v.Get("Question ID").String(), Clip: []string{video}, Media: omniscope.Media{Video: video + ".mp4"}, Text: v.Get("Question").Str,
		Tags: bench.Tags("type", v.Get("Question Type").Str),
	}
	options := v.Get("Options")
	for i := 0; options.Get(letters.Letter(i)).Exists(); i++ {
		q.Options = append(q.Options, options.Get(letters.Letter(i)).String())
	}
	q.Gold = letters.Index(v.Get("Answer").Str, len(q.Options))
	return []question{q}, nil
}

// predicted is the field of the answer in the results that the benchmark's evaluate.py writes, spelt as there.
const predicted = "Predicr Answer"

// videoHolmesResults returns the answers of these results. "WRONG" marks a reply without an answer.
func videoHolmesResults(row gjson.Result) [][]byte {
	switch {
	case !row.Get(predicted).Exists():
		return nil
	case row.Get(predicted).Str == "WRONG":
		return [][]byte{}
	}
	return [][]byte{with(row, "id", row.Get("video ID").String()+"/"+row.Get("Question ID").String())}
}

// WorldSense makes the benchmark WorldSense (arXiv 2502.04326): questions about videos of eight domains.
// Its scorer is VLMEvalKit's: it takes the first capital letter; an answer without one is wrong.
func WorldSense() bench.Benchmark {
	return newBenchmark(protocol{
		Name: "worldsense", Title: "WorldSense: questions about videos of eight domains, seen and heard",
		Paper: "arXiv 2502.04326", Licence: "data: honglyhly/WorldSense, CC BY-NC-SA 4.0 by its paper; bring your own copy",
		Hears: true, Sees: true,
		Needs:   bench.NeedsOf("honglyhly/WorldSense", "CC BY-NC-SA 4.0", "worldsense_qa.json"),
		Data:    "the benchmark's file, worldsense_qa.json",
		Answers: "file of answers: rows with id (VIDEO/task0, VIDEO/task1, ...) and answer",
		Fields:  []string{"answer", "response", "prediction"},
		IDs:     []string{"id"},
		Form:    rows.Layout{Keyed: true},
		Read:    readWorldSense,
		Count:   byLetter(mustFind("video-mme"), omniscope.Wrong),
		Lacking: omniscope.Wrong,
	})
}

// readWorldSense reads the questions of a video: all fields with "task" in their names.
func readWorldSense(row []byte, video string, _ int) (all []question, err error) {
	v := gjson.ParseBytes(row)
	of := bench.Tags("domain", v.Get("domain").Str, "subcategory", v.Get("sub_category").Str, "duration", v.Get("duration").String())
	for _, class := range v.Get("audio_class").Array() {
		of = append(of, bench.Tag{Dimension: "audio", Group: class.Str})
	}
	v.ForEach(func(key, task gjson.Result) bool {
		if !strings.Contains(key.Str, "task") {
			return true
		}
		options := bench.WithoutLetters(textsOf(task.Get("candidates")))
		all = append(all, question{
			ID: video + "/" + key.Str, Clip: []string{video}, Media: omniscope.Media{Video: video + ".mp4"}, Text: task.Get("question").Str,
			Options: options, Gold: letters.Index(task.Get("answer").Str, len(options)),
			Tags: slices.Concat(bench.Tags("task_domain", task.Get("task_domain").Str, "task_type", task.Get("task_type").Str), of),
		})
		return true
	})
	return all, nil
}

// DailyOmni makes the benchmark Daily-Omni (arXiv 2505.17862): questions about what is seen and heard
// at the same time. The published tester looks at how an answer begins, and leaves failures
// out.
func DailyOmni() bench.Benchmark {
	return newBenchmark(protocol{
		Name: "daily-omni", Title: "Daily-Omni: questions about what is seen and heard at the same time",
		Paper: "arXiv 2505.17862", Licence: "data: liarliar/Daily-Omni, CC BY-NC-SA 4.0; bring your own copy",
		Hears: true, Sees: true,
		Needs:   bench.NeedsOf("liarliar/Daily-Omni", "CC BY-NC-SA 4.0", "qa.json"),
		Data:    "the benchmark's file, qa.json",
		Answers: "file of answers: rows with id (VIDEO/DIGEST, as omniscope data samples\nprints it, or VIDEO/N, N the row of the complete file) and answer",
		Fields:  []string{"answer", "response", "prediction"},
		IDs:     []string{"id"},
		Read:    readDailyOmni,
		Count:   byStart,
	})
}

// readDailyOmni builds an id from the video, the question and its options: the file has no ids, and a row number
// means another question in a subset of the file.
func readDailyOmni(row []byte, _ string, number int) ([]question, error) {
	v := gjson.ParseBytes(row)
	video := v.Get("video_id").String()
	options := bench.WithoutLetters(textsOf(v.Get("Choice")))
	text := v.Get("Question").Str
	return []question{{
		ID: video + "/" + sha256hex.Of(fmt.Sprintf("%q %q", text, options))[:8], Row: fmt.Sprintf("%s/%d", video, number),
		Clip: []string{video}, Media: omniscope.Media{Video: video + "/" + video + "_video.mp4"}, Text: text,
		Options: options, Gold: letters.Index(v.Get("Answer").Str, len(options)),
		Tags: bench.Tags("type", v.Get("Type").Str, "duration", v.Get("video_duration").Str, "category", v.Get("video_category").Str),
	}}, nil
}
