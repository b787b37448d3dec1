package leaderboard

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
	"omniscope/results"
	"omniscope/results/compare"
)

// partOf is the protocol of a run and the part of the benchmark, from its results and signature.
func partOf(r *document.Results) setting {
	s := make(setting)
	for part := range strings.SplitSeq(r.Signature, "|") {
		if name, value, ok := strings.Cut(part, ":"); ok {
			s[name] = value
		} else {
			s[part] = "" // of the protocol
		}
	}
	maps.Copy(s, r.Data.Part)
	return s
}

// reasons lists why a run has no rank among the published rows of a board, in words; nil = it is
// like them. Unknown properties are reasons.
func (b *Board) reasons(r *document.Results, info *bench.Info, q Query) (why []string) {
	add := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	part := partOf(r)
	for _, name := range slices.Sorted(maps.Keys(parseSetting(b.Setting))) {
		if _, known := part[name]; !known {
			add("it is not known which %s its data are of", name)
		}
	}
	if references := part["references"]; references != "" {
		add("its references are %s", references)
	}
	why = append(why, dataReasons(r, q.PublishedData)...)
	why = append(why, b.judgeReasons(r, info)...)
	why = append(why, lackReasons(r)...)
	if q.Scoring != bench.Official && !results.ProfilesAgree(r) {
		add("its scores are of scoring %s, published ones of official", q.Scoring)
	}
	return why
}

// ownReasons are the reasons of a run without a rank on a board without published rows.
func ownReasons(r *document.Results, q Query) (why []string) {
	if state, _, _ := bench.DataOf(r); state != bench.UnknownData {
		why = dataReasons(r, q.PublishedData)
	}
	return append(why, lackReasons(r)...)
}

// lackReasons are faults of a run that do not depend on the board.
func lackReasons(r *document.Results) (why []string) {
	if r.Judge.Baseline {
		why = append(why, "a baseline judged it, "+cmp.Or(r.Judge.Shown(), "stand-in scorers"))
	}
	if failed := bench.FailedExam(&r.Judge); failed != "" {
		why = append(why, failed)
	}
	missing, unjudged := bench.Lacking(r)
	if bench.Many(missing, r.Samples) {
		why = append(why, fmt.Sprintf("%s of %s samples have no answer", quantity.Grouped(missing), quantity.Grouped(r.Samples)))
	}
	if bench.Many(unjudged, r.Samples) {
		why = append(why, fmt.Sprintf("%s of %s samples could not be judged", quantity.Grouped(unjudged), quantity.Grouped(r.Samples)))
	}
	return why
}

// dataReasons are the differences between the data of a run and of the published scores. byHand: the
// user states that they are the same data.
func dataReasons(r *document.Results, byHand bool) (why []string) {
	state, of, foreign := bench.DataOf(r)
	board, known := bench.BoardRelease(r.Benchmark.Name, r.Data.Part)
	switch {
	case foreign != "":
		why = append(why, "its data are from "+foreign)
	case byHand:
	case state == bench.ReleasedData && known && !of.Boards:
		why = append(why, fmt.Sprintf("its data are %q, published scores are of %q", of.Name, board.Name))
	case state == bench.UnknownData:
		why = append(why, "no published data of this benchmark are known here: --published-data states that these are")
	case state == bench.OtherData:
		why = append(why, otherData(r, of.Samples, of.SHA256))
	}
	whole := r.Data.Samples
	if whole == 0 && (state == bench.ReleasedData || byHand) {
		whole = board.Samples // an older document lacks the number
	}
	if whole > r.Samples {
		why = append(why, fmt.Sprintf("it scored %s of %s samples", quantity.Grouped(r.Samples), quantity.Grouped(whole)))
	}
	return why
}

// otherData is how the data of a run differ from the published data, which have so many samples (0 = not known) and this
// digest ("" = not known).
func otherData(r *document.Results, of int, digest string) string {
	switch {
	case digest != "":
		return "its data are not the published file, by its digest"
	case r.Data.Samples == 0:
		return fmt.Sprintf("it scored %s, the published data have %s", samples(r.Samples), quantity.Grouped(of))
	case of > 0:
		return fmt.Sprintf("its data have %s, the published data %s", samples(r.Data.Samples), quantity.Grouped(of))
	}
	return "no part of the published data has " + samples(r.Samples)
}

func samples(n int) string {
	if n == 1 {
		return "1 sample"
	}
	return quantity.Grouped(n) + " samples"
}

// judgeReasons are the differences between the judging of a run and of the published scores.
func (b *Board) judgeReasons(r *document.Results, info *bench.Info) (why []string) {
	part := partOf(r)
	why = append(b.judgedReasons(r, info), promptReasons(r, info)...)
	if answerer := part["answerer"]; answerer != "" && b.Judge != "" && !sameModel(answerer, b.Judge) {
		why = append(why, "questions answered by "+answerer+", for published rows by "+b.Judge)
	}
	for _, name := range []string{"shuffle", "circular", "bare"} {
		if _, set := part[name]; set {
			why = append(why, "its protocol is "+name+", which the published one is not")
		}
	}
	if b.Judge != "" && r.Judge.Shown() != "" && !r.Judge.Baseline {
		why = append(why, settingReasons(part)...)
	}
	if part["judge-mode"] == "batched" {
		why = append(why, "its judge was asked about many keypoints at once")
	}
	return why
}

// judgedReasons is the reason that another judge was asked, or that no judge was asked.
func (b *Board) judgedReasons(r *document.Results, info *bench.Info) []string {
	name := r.Judge.Shown()
	_, cascade := partOf(r)["cascade"]
	other, as := b.otherJudge(r)
	switch {
	case r.Judge.Baseline: // lackReasons has it
	case b.Judge == "" || name == "" && info.Judge == "":
	case name == "":
		return []string{"a model's own answers; published ones are of " + b.Judge + ", from captions"}
	case other && cascade:
		return []string{"answered by " + name + as + ", published rows by " + b.Judge}
	case other:
		return []string{"judged by " + name + as + ", published rows by " + b.Judge}
	}
	return nil
}

// promptReasons are prompts that are not the published ones.
func promptReasons(r *document.Results, info *bench.Info) (why []string) {
	for _, p := range r.Judge.Prompts {
		if p.Name == "blind.txt" {
			why = append(why, "its answers were given without captions")
		} else if p.From != "built in" && info.Name != "capricorn" { // capricorn's published prompts may not be built in
			why = append(why, "its judge was asked by a prompt of its own, "+p.Name)
		}
	}
	return why
}

// otherJudge reports whether the judge of a run is another model than the published judge: by the
// names in its answers, where they are known, else by its name in the command. as is an addition to
// the reason, such as ", which answered as gpt-4o-mini".
func (b *Board) otherJudge(r *document.Results) (other bool, as string) {
	if provider, _, _ := strings.Cut(r.Judge.Name, "/"); provider == "scripted" || provider == "people" {
		return true, ""
	}
	other = !sameModel(r.Judge.Name, b.Judge)
	for _, own := range slices.Sorted(maps.Keys(r.Judge.Answered)) {
		if own == "" {
			continue
		}
		if other = !sameModel(own, b.Judge); other {
			if path.Base(own) != path.Base(r.Judge.Name) {
				as = ", which answered as " + own
			}
			return true, as
		}
	}
	return other, ""
}

// settingReasons are settings of a judge that change its answers, and that only a flag sets.
func settingReasons(part setting) (why []string) {
	switch t, known := part["temperature"]; {
	case !known || t == "0":
	case t == "-1":
		why = append(why, "its judge was asked at the model's own temperature, published rows at 0")
	default:
		why = append(why, "its judge was asked at temperature "+t+", published rows at 0")
	}
	if _, set := part["extra"]; set {
		why = append(why, "its judge was asked with further fields in each request")
	}
	return why
}

// sameModel reports whether two names are of one model: provider and owner may differ, and a version
// may follow the name in a paper. The first name of Llama was Meta-Llama.
func sameModel(name, published string) bool {
	base := func(name string) string { return strings.TrimPrefix(strings.ToLower(path.Base(name)), "meta-") }
	rest, ok := strings.CutPrefix(base(name), base(published))
	return ok && (rest == "" || strings.Trim(rest, "-0123456789") == "" && strings.HasPrefix(rest, "-"))
}

// sameSize are data without a known digest, as many as were published.
const sameSize = "same size"

// sizeOf names the size and the part of a run's data.
func sizeOf(r *document.Results) string { return fmt.Sprint(r.Data.Samples, r.Data.Part) }

// differentData finds the sizes with runs on different data: only one of them can be the published data.
func differentData(runs []*compare.Run) map[string]bool {
	first, differ := make(map[string]string), make(map[string]bool)
	for _, r := range runs {
		size, data := sizeOf(r.Results), partOf(r.Results)["data"]
		if r.Results.Samples != r.Results.Data.Samples {
			continue // its digest is of the samples that it scored
		}
		if other, seen := first[size]; seen && other != data {
			differ[size] = true
		}
		first[size] = data
	}
	return differ
}

// dataName is a run's cell in the column of data.
func dataName(r *document.Results, byHand bool) string {
	switch state, of, _ := bench.DataOf(r); {
	case state == bench.ReleasedData:
		return of.Name
	case byHand:
		return "as stated"
	case state == bench.SizedData:
		return sameSize
	case state == bench.UnknownData:
		return "not known"
	}
	return "other"
}

// unlike are the reasons why runs have no rank among each other where no row is published: they
// differ in data, judge or protocol, or one lacks answers.
func unlike(rows []*boardRow) (why []string) {
	differ := func(what string, of func(*document.Results) string) {
		for _, r := range rows {
			if of(r.run.Results) != of(rows[0].run.Results) {
				why = append(why, "the runs differ in "+what)
				return
			}
		}
	}
	differ("data", func(r *document.Results) string { return partOf(r)["data"] })
	differ("judge", func(r *document.Results) string {
		if r.Judge.Endpoint == nil {
			return r.Judge.Name
		}
		return path.Base(r.Judge.Name) // of any provider
	})
	differ("the judge's settings", func(r *document.Results) string { part := partOf(r); return part["temperature"] + part["extra"] })
	differ("protocol", func(r *document.Results) string {
		_, cascade := partOf(r)["cascade"]
		return fmt.Sprint(cascade, r.Data.Part)
	})
	return why
}
