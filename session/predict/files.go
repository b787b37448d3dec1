package predict

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captionrow"
	"omniscope/bench/predict"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/spreadsheet"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/catalog"
)

// answers returns the answers to the samples. A complete but empty reply is an answer, too. Only failed
// samples are missing. A letter that the published scorer would count as wrong is in the words of its option.
func (w *Run) answers() *bench.Answers {
	s := w.Spec
	a := &bench.Answers{System: w.systemName(), Data: s.Data, Modality: string(s.Modality)}
	if len(w.Samples) > 0 {
		a.Track, a.Language = w.Samples[0].Track, w.Samples[0].Language
	}
	for i, p := range w.Results {
		if p != nil && (p.Outcome == omniscope.OK || p.Outcome == omniscope.Abstained) {
			text, _ := bench.InWords(p.Answer, w.Samples[i].Options)
			a.List = append(a.List, bench.Answer{Sample: p.Sample, Text: text, Path: w.pathOf(i)})
		}
	}
	return a
}

// pathOf is the path of a sample's media from the folder of the answers. A file below the working directory has a relative path, so
// that both can be moved together.
func (w *Run) pathOf(i int) string {
	path, err := w.Tested.Path(&w.Samples[i])
	if err != nil {
		return ""
	}
	if here, err := os.Getwd(); err == nil {
		if below, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(below) {
			path = below
		}
	}
	return captionrow.PathFrom(filepath.Dir(w.files.answers), path)
}

// letterWarning counts the letters that were written as words.
func (w *Run) letterWarning() string {
	n := 0
	for i, p := range w.Results {
		if _, changed := bench.InWords(p.Answer, w.Samples[i].Options); changed && p.Outcome == omniscope.OK {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d answers are letters, and are written in the words of their options, which the published scorer compares; the details have the replies", n)
}

func (w *Run) systemName() string {
	if w.System != "" {
		return w.System
	}
	if i := w.Spec.Investigation; i != nil {
		return DetectiveSystem + "-" + filepath.Base(i.Detective)
	}
	_, name, _ := catalog.SplitModel(w.Spec.Model.Model)
	return filepath.Base(name)
}

// Source is the address of the model, or the models of the detective with theirs; "" = no address, as of a script.
func (w *Run) Source() string {
	if len(w.investigators) > 0 {
		return strings.Join(w.investigators, "; ")
	}
	if len(w.Models.All) == 0 || w.Models.All[0].Endpoint == nil {
		return ""
	}
	return w.Models.All[0].Source
}

// AnsweredBy are the addresses that the answers came from: with --any-endpoint not always that of the model.
func (w *Run) AnsweredBy() string {
	if at := w.Source(); at == "" || len(w.investigators) > 0 {
		return at
	}
	return cmp.Or(strings.Join(slices.Sorted(maps.Keys(w.Models.All[0].Meter.Sources())), "; "), w.Source())
}

// predictionFiles are the files of a run.
type predictionFiles struct{ answers, details, investigations string }

// fileNames are the files of the run: --out names the file of answers, or a folder in
// which it has its published name.
func (w *Run) fileNames() (f predictionFiles) {
	f.answers = w.Out
	if ondisk.IsFolder(w.Out) || os.IsPathSeparator(w.Out[len(w.Out)-1]) {
		name := captionrow.FileName
		if writer, ok := w.dataset.(bench.AnswerWriter); ok {
			name = writer.AnswersName(w.answers())
		}
		f.answers = filepath.Join(w.Out, name)
	}
	base := f.answers
	for _, ext := range []string{".jsonl", ".csv", ".xml"} {
		if filepath.Ext(base) == ext {
			base = base[:len(base)-len(ext)]
		}
	}
	f.details, f.investigations = base+".details.jsonl", base+".investigations"
	return f
}

// detailsHead is the first line of a file of details. It says whose file it is.
type detailsHead struct {
	Run  string `json:"run"`
	Spec *Spec  `json:"spec"`

	Source string `json:"source,omitempty"` // the endpoint that answered
}

// checkFiles refuses to write over anything but the files of this run.
func (w *Run) checkFiles(f predictionFiles, name string) error {
	if w.Force {
		return nil
	}
	ours := func(r io.Reader) bool {
		var head detailsHead
		return json.NewDecoder(r).Decode(&head) == nil && head.Run == name
	}
	if err := outfile.Check(f.details, ours); err != nil {
		return err
	}
	if ondisk.Exists(f.details) {
		return nil // both are this run's
	}
	return outfile.Check(f.answers, func(io.Reader) bool { return false })
}

// checkSource refuses to write over the answers of the same run at another address.
func (w *Run) checkSource(f predictionFiles) error {
	head, _, err := readDetailsFile(f.details)
	if errors.Is(err, os.ErrNotExist) || w.Force || w.Calls.AnyEndpoint {
		return nil
	}
	if err != nil {
		return err
	}
	if now := w.Source(); head.Source != "" && head.Source != now {
		return omniscope.Usagef("%s has answers of %s, and this command asks %s: name another --out, or replace them with --force (--any-endpoint keeps answers of any address)", f.answers, head.Source, now)
	}
	return nil
}

// checkMore refuses to write over a file with more answers than there are now, as where media are gone or rows were added by hand.
func (w *Run) checkMore(f predictionFiles, answered int, text []byte) error {
	_, before, err := readDetailsFile(f.details)
	if errors.Is(err, os.ErrNotExist) || w.Force {
		return nil
	}
	if err != nil {
		return err
	}
	if there, err := os.ReadFile(f.answers); err == nil && before <= answered {
		before, answered = countRows(there), countRows(text)
	}
	if before > answered {
		return omniscope.Invalidf("%s has %d answers, and this command has %d: media may be gone, or answers failed; the file stays as it is. --force replaces it", f.answers, before, answered)
	}
	return nil
}

// countRows counts the answers in a file: the samples of MCIF's XML, else the lines of JSON or CSV.
func countRows(text []byte) (n int) {
	if samples := bytes.Count(text, []byte("<sample ")); samples > 0 {
		return samples
	}
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}

// readDetailsFile reads the head of a file of details, and how many of its samples have an answer.
func readDetailsFile(path string) (head detailsHead, answered int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return head, 0, err
	}
	defer f.Close()
	rows := json.NewDecoder(f)
	if err := rows.Decode(&head); err != nil {
		return head, 0, omniscope.Invalidf("%s:1: %v", path, err)
	}
	for n := 2; ; n++ {
		var row struct {
			Outcome omniscope.Outcome `json:"outcome"`
		}
		switch err := rows.Decode(&row); {
		case err == io.EOF:
			return head, answered, nil
		case err != nil:
			return head, answered, omniscope.Invalidf("%s:%d: %v", path, n, err)
		case row.Outcome == omniscope.OK:
			answered++
		}
	}
}

// write writes the answers and the details.
func (w *Run) write(f predictionFiles, name string) (*Summary, error) {
	out := &Summary{System: w.systemName(), File: f.answers, Details: f.details, Samples: len(w.Samples), Outcomes: make(map[string]int), Symptoms: make(map[string]int), Predictions: w.Results}
	for _, p := range w.Results {
		out.Outcomes[p.Outcome.String()]++
		for _, s := range p.Symptoms {
			out.Symptoms[string(s.Kind)]++
		}
		if p.Few {
			out.Few++
		}
		out.Blind.Add(p.Blind)
		if p.Outcome == omniscope.OK {
			out.Words = append(out.Words, p.Words)
		}
	}
	slices.Sort(out.Words)
	if writer, ok := w.dataset.(bench.AnswerWriter); ok {
		out.ScoredWith = writer.ScoredWith(w.answers())
	}
	var answers bytes.Buffer
	var err error
	if out.Warnings, err = w.writeAnswers(&answers); err != nil {
		return nil, err
	}
	if err := w.checkMore(f, out.Outcomes[omniscope.OK.String()], answers.Bytes()); err != nil {
		return nil, err
	}
	err = outfile.Write(f.details, func(to io.Writer) error {
		rows := json.NewEncoder(to)
		rows.SetEscapeHTML(false)
		err := rows.Encode(detailsHead{Run: name, Spec: w.Spec, Source: w.AnsweredBy()})
		for _, p := range w.Results {
			err = errors.Join(err, rows.Encode(p))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Warnings = append(out.Warnings, mediaWarnings(w.Results, f.details)...)
	if warning := w.letterWarning(); warning != "" {
		out.Warnings = append(out.Warnings, warning)
	}
	if warning := out.Blind.Warning(); warning != "" {
		out.Warnings = append(out.Warnings, warning+"; "+f.details+" has the answers")
	}
	return out, outfile.Write(f.answers, func(to io.Writer) error {
		_, err := answers.WriteTo(to)
		return err
	})
}

// mediaWarnings count the samples of which the model was not given all that the
// modality asks for.
func mediaWarnings(results []*predict.Prediction, details string) (warnings []string) {
	without, cut := make(map[string]int), 0
	for _, p := range results {
		without[p.Sent.Without]++
		if p.Sent.Sound != nil && p.Sent.Sound.Of > 0 {
			cut++
		}
	}
	other := map[string]string{"sound": "picture", "picture": "sound"}
	for _, what := range []string{"sound", "picture"} {
		if n := without[what]; n > 0 {
			warnings = append(warnings, fmt.Sprintf("%d of %d samples have no %s: the model was given their %s alone; %s says which", n, len(results), what, other[what], details))
		}
	}
	if cut > 0 {
		warnings = append(warnings, fmt.Sprintf("of %d of %d samples only the beginning of the sound was sent, as the profile says; %s says which", cut, len(results), details))
	}
	return warnings
}

func (w *Run) writeAnswers(to io.Writer) ([]string, error) {
	if writer, ok := w.dataset.(bench.AnswerWriter); ok {
		return writer.WriteAnswers(to, w.answers())
	}
	if filepath.Ext(w.Out) == ".csv" {
		return nil, writeAnswerTable(to, w.answers())
	}
	a := w.answers()
	list := make([]captionrow.Row, len(a.List))
	for i, answer := range a.List {
		list[i] = captionrow.Row{ID: string(answer.Sample), Path: answer.Path, Caption: answer.Text, Modality: w.Spec.Modality, System: a.System}
	}
	return nil, captionrow.Write(to, list)
}

// Result returns the outcome of a run that describes clips.
func (p *Summary) Result() *caption.Result {
	r := &caption.Result{Clips: p.Samples, Wanted: p.Samples, File: p.File}
	for _, words := range p.Words {
		r.Add(words)
	}
	for _, made := range p.Predictions {
		if made != nil && made.Outcome != omniscope.OK {
			r.Fail(cmp.Or(made.Why, made.Outcome.String()))
		}
	}
	return r
}

// Rows count the samples by what became of them, and the answers by what is odd about
// them.
func (p *Summary) Rows() (rows [][]string) {
	for _, outcome := range omniscope.Outcomes {
		if n := p.Outcomes[outcome.String()]; n > 0 {
			rows = append(rows, []string{outcome.String(), fmt.Sprint(n)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Symptoms)) {
		rows = append(rows, []string{"answers with " + name, fmt.Sprint(p.Symptoms[name])})
	}
	if n := len(p.Words); n > 0 {
		rows = append(rows, []string{"words of an answer", fmt.Sprintf("%d (median), %d to %d", p.Words[n/2], p.Words[0], p.Words[n-1])})
	}
	if b := p.Blind; b.Asked+b.Failed > 0 {
		rows = append(rows, []string{"asked without media", b.String()})
	}
	return rows
}

// Verdict is an error when the run is done but too many samples have no answer, or all answers are empty.
func (p *Summary) Verdict(allowed float64) error {
	answered := p.Outcomes[omniscope.OK.String()]
	switch lacking := p.Samples - answered - p.Outcomes[omniscope.Abstained.String()]; {
	case answered == 0:
		return fmt.Errorf("%w: no sample of %d has an answer%s; %s has the reasons%s", session.ErrTooManyFailures, p.Samples, p.mostly(), p.Details, p.askAgain())
	case float64(lacking) > allowed*float64(p.Samples):
		return fmt.Errorf("%w: %d of %d samples have no answer, more than --max-failures %g allows%s; %s says why%s", session.ErrTooManyFailures, lacking, p.Samples, allowed, p.mostly(), p.Details, p.askAgain())
	}
	return nil
}

// Failures describes the samples without an answer, with the commonest reason; "" = there is none.
func (p *Summary) Failures() string {
	var counts []string
	for _, outcome := range omniscope.Outcomes {
		if n := p.Outcomes[outcome.String()]; n > 0 && outcome != omniscope.OK && outcome != omniscope.Abstained {
			counts = append(counts, fmt.Sprintf("%d %s", n, outcome))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %d samples%s", strings.Join(counts, ", "), p.Samples, p.mostly())
}

// mostly returns the commonest reason for which samples have no answer, in words.
func (p *Summary) mostly() string {
	reasons, most := make(map[string]int), ""
	for _, made := range p.Predictions {
		if made == nil || made.Why == "" {
			continue
		}
		why := strings.ReplaceAll(made.Why, "call "+string(made.Sample)+": ", "")
		if reasons[why]++; reasons[why] > reasons[most] {
			most = why
		}
	}
	if most == "" {
		return ""
	}
	return fmt.Sprintf(" (%d: %s)", reasons[most], most)
}

// askAgain names the samples with unusable answers.
func (p *Summary) askAgain() string {
	var ids []string
	for _, made := range p.Predictions {
		if made != nil && made.Outcome.IsFailure() && made.Outcome != omniscope.Failed {
			ids = append(ids, string(made.Sample))
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return session.AskFailed + " (" + session.FirstIDs(ids, len(ids)) + ")"
}

// writeAnswerTable writes captions as CSV, with texts that no spreadsheet takes for
// formulas.
func writeAnswerTable(to io.Writer, a *bench.Answers) error {
	out := csv.NewWriter(to)
	err := out.Write([]string{"id", "path", "caption", "modality", "system"})
	for _, answer := range a.List {
		err = errors.Join(err, out.Write([]string{spreadsheet.Cell(string(answer.Sample)), spreadsheet.Cell(answer.Path), spreadsheet.Cell(answer.Text), a.Modality, spreadsheet.Cell(a.System)}))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}
