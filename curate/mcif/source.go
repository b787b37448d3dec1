package mcif

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/metric/textnorm"
)

// Names of the tables, as the published builder looks for them; the blank before .tsv is theirs.
const (
	mainTable       = "[IWSLT 2025] Test Set - ASR, ST, SQA (also cross-lingual), SSUM final .tsv"
	abstractTable   = "[IWSLT 2025] Test Set - SSUM (only abstract in English).tsv"
	transcriptTable = "[IWSLT 2025] Test Set - Test set with revised transcript.tsv"
	translatedTable = "[IWSLT 2025] Test Set - TRANSCRIPT_%s - REVISED.tsv"
	summaryTable    = "[IWSLT 2025] Test Set - SSUM_%s - REVISED.tsv"
)

// linkStart and linkEnd are what a talk's link has around its name.
const (
	linkStart = "https://aclanthology.org/"
	linkEnd   = len(".mp4")
)

// A source is what is known of the talks of a test set.
type source struct {
	asPublished bool
	folder      string // of the media
	tables      string // folder
	languages   *languages
	questions   []question // in the order of the main table
	summaries   []summary
	transcripts []transcript
	translated  map[string]map[string]lines  // transcripts, by language and talk
	abstracts   map[string]map[string]string // by language and talk; not those of the spoken language
	segments    map[string][]segment         // by talk's file
}

// A question is a row of the main table. The first one of a talk also says what the talk is.
type question struct {
	row
	talk, id, number         string // Video ID; ID; Question ID, "1" for the first one of its talk
	base                     string // name of the talk's files, without their endings
	transcript, abstract     string
	kind, origin             string            // A, V, AV or NA; General, Abstract or Transcript
	start, end               int               // of the answer, in seconds
	questionText, answerText map[string]string // by language
}

// A summary is a row of the table of abstracts.
type summary struct {
	row
	talk, base, abstract string
}

// A transcript is a row of the table of transcripts.
type transcript struct{ base, text string }

// lines are a transcript and its translation, line by line, joined by line feeds.
type lines struct{ source, target string }

func readSource(ctx context.Context, o *Options) (*source, error) {
	if !ondisk.IsFolder(o.Source) {
		return nil, omniscope.Usagef("--source-dir %s: there is no such folder", o.Source)
	}
	s := &source{asPublished: o.AsPublished, folder: o.Source, tables: o.Tables, languages: o.Languages}
	for _, read := range []func() error{s.readQuestions, s.readSummaries, s.readTranscripts, s.readTranslations} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return s, s.readSegments(ctx)
}

func (s *source) readQuestions() error {
	t, err := readTable(s.tables, mainTable)
	if err != nil {
		return err
	}
	columns := []string{"Video ID", "ID", "Video Link", "Revised Transcript", "Abstract_" + s.languages.Spoken.Code, "Question ID", "Question Origin", "Question Type", "Answer Start", "Answer End"}
	for _, l := range s.languages.all() {
		columns = append(columns, "Question_"+l.Code, "Answer_"+l.Code)
	}
	if err := t.require(columns...); err != nil {
		return err
	}
	first := make(map[string]*question) // of each talk, its question 1
	ids := make(map[string]int)         // lines of questions
	for _, r := range t.rows {
		q, err := s.question(r)
		if err != nil {
			return err
		}
		if q.number == "1" && first[q.talk] != nil {
			return r.bad(q.talk, "the talk has a question 1 already, on line %d", first[q.talk].line)
		}
		if q.number == "1" {
			first[q.talk] = q
		}
		if id := q.talk + "_" + q.id; ids[id] > 0 && !s.asPublished {
			return r.bad(q.id, "talk %s has a question with this ID already, on line %d", q.talk, ids[id])
		} else {
			ids[id] = r.line
		}
		s.questions = append(s.questions, *q)
	}
	for i := range s.questions {
		q := &s.questions[i]
		switch one := first[q.talk]; {
		case one == nil:
			return q.bad(q.talk, "the talk has no question whose Question ID is 1; that row says what the talk is")
		case one.base != q.base:
			return q.bad(q.get("Video Link"), "the talk %s has another Video Link on line %d", q.talk, one.line)
		}
	}
	if len(s.questions) == 0 {
		return omniscope.Invalidf("%s has no questions", t.path)
	}
	return nil
}

var kinds = []string{"AV", "A", "V", "NA"}

func (s *source) question(r row) (*question, error) {
	q := &question{row: r, talk: r.get("Video ID"), id: r.get("ID"), number: textnorm.Strip(r.get("Question ID")), kind: r.get("Question Type"),
		transcript: joined(r.get("Revised Transcript")), abstract: textnorm.Strip(r.get("Abstract_" + s.languages.Spoken.Code)),
		questionText: make(map[string]string), answerText: make(map[string]string)}
	var err error
	if q.base, err = r.base(); err != nil {
		return nil, err
	}
	origin, ok := strings.CutSuffix(r.get("Question Origin"), " Q")
	if q.origin = origin; !ok || origin == "" {
		return nil, r.bad(r.get("Question Origin"), "Question Origin is General Q, Abstract Q or Transcript Q")
	}
	if !slices.Contains(kinds, q.kind) {
		return nil, r.bad(q.kind, "Question Type is one of %s", strings.Join(kinds, ", "))
	}
	if q.kind != "NA" {
		if err := q.readTimes(); err != nil {
			return nil, err
		}
	}
	for _, l := range s.languages.all() {
		q.questionText[l.Code], q.answerText[l.Code] = r.get("Question_"+l.Code), r.get("Answer_"+l.Code)
	}
	return q, nil
}

func (q *question) readTimes() error {
	for _, column := range []struct {
		name string
		to   *int
	}{{"Answer Start", &q.start}, {"Answer End", &q.end}} {
		var ok bool
		if *column.to, ok = seconds(q.get(column.name)); !ok {
			return q.bad(q.get(column.name), "%s is a time in hours, minutes and whole seconds, such as 00:04:10", column.name)
		}
	}
	return nil
}

// base is the name of a talk's files. The row must be full.
func (r row) base() (string, error) {
	if err := r.full(); err != nil {
		return "", err
	}
	name := strings.ReplaceAll(r.get("Video Link"), linkStart, "")
	if len(name) <= linkEnd || name[len(name)-linkEnd] != '.' {
		return "", r.bad(r.get("Video Link"), "Video Link is not %sNAME.mp4", linkStart)
	}
	name = name[:len(name)-linkEnd]
	if name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.ContainsRune(name, 0) {
		return "", r.bad(r.get("Video Link"), "Video Link leads to %q, which is no plain name of a file", name)
	}
	return name, nil
}

// joined is a text with one blank for each run of white space.
func joined(text string) string { return strings.Join(textnorm.Fields(text), " ") }

// seconds reads hours, minutes and seconds.
func seconds(clock string) (total int, ok bool) {
	parts := strings.Split(clock, ":")
	if len(parts) != 3 {
		return 0, false
	}
	for _, p := range parts {
		n, err := strconv.Atoi(strings.TrimSpace(p))
		if err != nil || n < 0 || n > 1e6 {
			return 0, false
		}
		total = 60*total + n
	}
	return total, true
}

func (s *source) readSummaries() error {
	t, err := readTable(s.tables, abstractTable)
	if err != nil {
		return err
	}
	abstract := "Abstract_" + s.languages.Spoken.Code
	if err := t.require("ID", "Video Link", abstract); err != nil {
		return err
	}
	for _, r := range t.rows {
		base, err := r.base()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(s.summaries, func(other summary) bool { return other.talk == r.get("ID") }) && !s.asPublished {
			return r.bad(r.get("ID"), "the talk is there already")
		}
		s.summaries = append(s.summaries, summary{row: r, talk: r.get("ID"), base: base, abstract: textnorm.Strip(r.get(abstract))})
	}
	return nil
}

func (s *source) readTranscripts() error {
	t, err := readTable(s.tables, transcriptTable)
	if err != nil {
		return err
	}
	if err := t.require("Video Link", "Revised Transcript"); err != nil {
		return err
	}
	for _, r := range t.rows {
		base, err := r.base()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(s.transcripts, func(t transcript) bool { return t.base == base }) {
			return r.bad(base, "the talk has a transcript already")
		}
		s.transcripts = append(s.transcripts, transcript{base, joined(r.get("Revised Transcript"))})
	}
	return nil
}
