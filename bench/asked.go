package bench

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
	"golang.org/x/text/unicode/norm"

	"omniscope"
	"omniscope/internal/jsonfast"
	"omniscope/internal/pyliteral"
	"omniscope/model/judge/letters"
	"omniscope/model/marks"
)

// An Asked is what a sample asks, as the benchmark's file says, or as a row of answers repeats it.
// Empty fields are not known.
type Asked struct {
	Question string
	Options  []string // in the order in which they were shown, without letters
	Key      string   // the right answer: of a sample the letter of its option, of a row the letter or the text
	Media    []string // names of the recording, with or without folder and ending
}

// An Asker is a Dataset that knows what each of its samples asks beyond omniscope.Sample: options and
// right answers.
type Asker interface {
	Dataset
	Asked(ctx context.Context, path string) (map[omniscope.SampleID]Asked, error)
}

// A repeat is a row of answers compared with the sample that it answers.
type repeat struct {
	// Contradiction is the kind of difference from the benchmark's file, such as "another question";
	// "" = no difference.
	Contradiction string
	Row, File     string // the two values that differ
	Order         []int  // option i of the row is option Order[i] of the sample; nil = same order, or a row without options
}

// Kinds of contradictions.
const (
	otherQuestion = "another question"
	otherOptions  = "other options"
	otherKey      = "another right answer"
	otherMedia    = "another recording"
)

// Compare compares a row of answers with its sample. recordings are all recordings of the
// benchmark's file, by Stem: a row may call its recording by a name that the file does not have.
func (a *Asked) Compare(row *Asked, recordings map[string]bool) (r repeat) {
	if row.Question != "" && a.Question != "" && !sameQuestion(row.Question, a.Question) {
		return repeat{Contradiction: otherQuestion, Row: row.Question, File: a.Question}
	}
	if len(row.Options) > 0 && len(a.Options) > 0 {
		order, same := permutation(row.Options, a.Options)
		if !same {
			return repeat{Contradiction: otherOptions, Row: strings.Join(row.Options, " | "), File: strings.Join(a.Options, " | ")}
		}
		r.Order = order
	}
	shown := row.Options
	if len(shown) == 0 {
		shown = a.Options
	}
	ours := ""
	if i := letters.Index(a.Key, len(a.Options)); i >= 0 {
		ours = squeezed(a.Options[i])
	}
	if theirs := optionOf(row.Key, shown); theirs != "" && ours != "" && theirs != ours {
		return repeat{Contradiction: otherKey, Row: theirs, File: ours}
	}
	if other := a.otherRecording(row, recordings); other != "" {
		return repeat{Contradiction: otherMedia, Row: other, File: a.Media[0]}
	}
	return r
}

// otherRecording is the recording of another sample that a row names, and not the sample's own.
func (a *Asked) otherRecording(row *Asked, recordings map[string]bool) (other string) {
	for _, name := range row.Media {
		if slices.ContainsFunc(a.Media, func(own string) bool { return Stem(own) == Stem(name) }) {
			return ""
		}
		if recordings[Stem(name)] && len(a.Media) > 0 {
			other = name
		}
	}
	return other
}

// sameQuestion reports whether two texts are one question, except for punctuation. A prompt may surround it; a
// longer question that begins with the words of the other is another. Less than three bytes, such as "x" or "?",
// are no question.
func sameQuestion(a, b string) bool {
	a, b = squeezed(a), squeezed(b)
	if min(len(a), len(b)) < 3 {
		return true
	}
	noPoints := func(c rune) bool { return unicode.IsPunct(c) || unicode.IsSpace(c) }
	return strings.Contains(a, b) || strings.Contains(b, a) || slices.Equal(strings.FieldsFunc(a, noPoints), strings.FieldsFunc(b, noPoints))
}

// typed replaces typographic characters by the characters of a keyboard.
var typed = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", "-")

// squeezed is a text in small letters with single blanks, and without the point of a sentence at its end.
func squeezed(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(typed.Replace(norm.NFKC.String(text))), " "))
	if short := strings.TrimRight(text, ".。"); short != "" {
		return short
	}
	return text
}

// WithoutLetters returns options without the letters that their texts begin with ("A. a dog", "(A) a dog").
func WithoutLetters(options []string) []string {
	out := slices.Clone(options)
	for i, o := range options {
		o = strings.TrimSpace(o)
		if inside, ok := strings.CutPrefix(o, "("+letters.Letter(i)+")"); ok && inside != "" {
			out[i] = strings.TrimSpace(inside)
			continue
		}
		rest, ok := strings.CutPrefix(o, letters.Letter(i))
		if !ok || rest == "" || !strings.ContainsAny(rest[:1], ".):") {
			return options
		}
		out[i] = strings.TrimSpace(rest[1:])
	}
	return out
}

// permutation finds the options of a row among the options of a sample. order is nil if both have the
// same order.
func permutation(row, sample []string) (order []int, same bool) {
	if len(row) != len(sample) {
		return nil, false
	}
	taken, moved := make([]bool, len(sample)), false
	for i, option := range row {
		at := -1
		for j := range sample {
			if k := (i + j) % len(sample); !taken[k] && squeezed(sample[k]) == squeezed(option) { // an option that is there twice keeps its place
				at = k
				break
			}
		}
		if at < 0 {
			return nil, false
		}
		taken[at] = true
		moved = moved || at != i
		order = append(order, at)
	}
	if !moved {
		order = nil
	}
	return order, true
}

// optionOf is the text of the option that a key means; "" = the key is unclear: a number, which may count from 0 or
// from 1, or a letter that is also the text of another option, as the chord C among A: C, B: F.
func optionOf(key string, options []string) (found string) {
	key = strings.TrimSpace(key)
	for i, option := range options {
		if o := squeezed(option); o == squeezed(key) || o == squeezed(strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(key, "("), letters.Letter(i)), ".): ")) {
			found = o
			break
		}
	}
	if i := letters.Index(strings.Trim(key, "(). "), len(options)); i >= 0 {
		if o := squeezed(options[i]); found == "" || found == o {
			return o
		}
		return ""
	}
	return found
}

// Translate turns an answer to the row's options into an answer to the sample's: the letters have
// another order. clear is false if the answer chooses an option of the sample, but no option of the row.
func Translate(answer string, row, sample []string, order []int) (translated string, clear bool) {
	if order == nil {
		return answer, true
	}
	chosen, _ := letters.Read(answer, row)
	there, _ := letters.Read(answer, sample)
	switch {
	case chosen < 0:
		return answer, there < 0
	case there == order[chosen]:
		return answer, true
	}
	letter := letters.Letter(order[chosen])
	if strings.Contains(squeezed(answer), squeezed(row[chosen])) { // a scorer may look at the words
		return letter + ". " + sample[order[chosen]], true
	}
	return letter, true
}

// InWords returns an answer that chooses an option by its letter, alone or before the option as it is shown ("B. a train"), in the
// words of that option. changed is false for any other answer, which it returns as it is.
func InWords(answer string, options []string) (words string, changed bool) {
	text, ok := marks.AfterThought(marks.FirstTurn(answer))
	if !ok {
		return answer, false
	}
	text = marks.WithoutTokens(text)
	if shown := AsShown(text, options); shown >= 0 {
		return options[shown], true
	}
	chosen, _ := letters.Read(answer, options)
	if chosen < 0 {
		return answer, false
	}
	text = squeezed(text)
	for _, o := range options {
		if strings.Contains(text, squeezed(o)) {
			return answer, false
		}
	}
	return options[chosen], true
}

// AsShown is the option that a text repeats as it is shown, with its letter ("B. a train", "(B) a train"); -1 = no option.
func AsShown(text string, options []string) int {
	text = strings.TrimPrefix(squeezed(text), "(")
	for i, option := range options {
		after, ok := strings.CutPrefix(text, strings.ToLower(letters.Letter(i)))
		if rest := strings.TrimLeft(after, ".):"); ok && rest != after && strings.TrimSpace(rest) == squeezed(option) {
			return i
		}
	}
	return -1
}

// Names of the fields that repeat the question in a row of answers.
var (
	questionFields = []string{"question", "Question"}
	optionFields   = []string{"choices", "options", "candidates", "Options", "Choice", "Choices"}
	keyFields      = []string{"target", "gold", "correct_answer", "ground_truth", "gt", "GT", "answer_gt", "gt_answer"}
	answerFields   = []string{"answer", "Answer"}
	mediaFields    = []string{"audio_id", "audio_path", "audio", "video_path", "video", "video_id", "videoID", "video ID", "media"}
)

// AskedIn is what a row of answers repeats. read is the field with the answer itself. "answer" is a right answer
// in rows with a question or options alone: elsewhere it may be what a model said.
func AskedIn(row gjson.Result, read string) (a Asked) {
	field := func(names []string) (v gjson.Result) {
		for _, name := range names {
			if name != read {
				if v = row.Get(gjson.Escape(name)); v.Exists() && v.Type != gjson.Null {
					return v
				}
			}
		}
		return gjson.Result{}
	}
	a.Question = textOf(field(questionFields)).Str
	if a.Options = optionsOf(field(optionFields)); len(a.Options) == 0 {
		a.Options = optionsOf(row)
	}
	a.Key = textOf(field(keyFields)).Str
	if a.Key == "" && (a.Question != "" || len(a.Options) > 0) {
		a.Key = textOf(field(answerFields)).Str
	}
	for _, name := range mediaFields {
		if v := row.Get(gjson.Escape(name)); name != read && v.Type == gjson.String && v.Str != "" {
			a.Media = append(a.Media, v.Str)
		}
	}
	return a
}

// optionsOf returns the options in a list of texts, also one that a table holds as JSON or as Python writes it, or in
// the fields A, B, ... of an object or of a table's row.
func optionsOf(v gjson.Result) (options []string) {
	text := strings.TrimSpace(v.Str)
	written := v.Type == gjson.String && strings.HasPrefix(text, "[")
	switch {
	case written && jsonfast.Valid(text):
		return optionsOf(gjson.Parse(text))
	case written:
		literal, _ := pyliteral.Parse(text)
		list, _ := literal.([]any)
		for _, one := range list {
			option, ok := one.(string)
			if !ok {
				return nil
			}
			options = append(options, option)
		}
	case v.IsArray():
		for _, one := range v.Array() {
			if one.Type != gjson.String && one.Type != gjson.Number {
				return nil
			}
			options = append(options, one.String())
		}
	case !v.IsObject():
	case v.Get("text").IsArray() && v.Get("label").IsArray(): // as ARC has them on the hub
		return optionsOf(v.Get("text"))
	default:
		return WithoutLetters(letteredFields(v))
	}
	return WithoutLetters(options)
}

// letteredFields are the values of the fields A, B, ... of an object, at least two.
func letteredFields(v gjson.Result) (options []string) {
	for i := 0; letters.Letter(i) != ""; i++ {
		one := v.Get(letters.Letter(i))
		if !one.Exists() || one.Type == gjson.Null || one.IsObject() || one.IsArray() {
			break
		}
		options = append(options, one.String())
	}
	if len(options) < 2 {
		return nil
	}
	return options
}

// promptOption matches a line of a prompt that shows an option.
var promptOption = regexp.MustCompile(`(?m)^\s*(?:\(([A-Z])\)|([A-Z])[.):])[ \t]+(\S.*?)\s*$`)

// AskedByPrompt reads the lettered options of a prompt, a line each. The prompt counts as the question: it
// contains it.
func AskedByPrompt(prompt string) (a Asked) {
	for _, m := range promptOption.FindAllStringSubmatch(prompt, -1) {
		letter := m[1] + m[2]
		if letter != letters.Letter(len(a.Options)) {
			return Asked{}
		}
		a.Options = append(a.Options, m[3])
	}
	if len(a.Options) < 2 {
		return Asked{}
	}
	a.Question = prompt
	return a
}

// AnyQuestions is the option that scores answers also where their rows contradict the questions.
const AnyQuestions = "any-questions"

// repeats counts rows of answers that do not repeat their samples as the benchmark's file has them.
type repeats struct {
	data     string
	hint     string // how the rows are scored all the same; "" = they cannot be
	kinds    []string
	examples map[string][]string // by kind
	moved    int
}

// NewRepeats counts rows of answers to samples of a file. option says that there is the option AnyQuestions.
func NewRepeats(data string, option bool) *repeats {
	r := &repeats{data: data, examples: make(map[string][]string)}
	if option {
		r.hint = " (--" + AnyQuestions + " scores it)"
	}
	return r
}

// Add counts the row of a sample; place is its file and line.
func (r *repeats) Add(sample, place string, one repeat) {
	if one.Contradiction == "" {
		if one.Order != nil {
			r.moved++
		}
		return
	}
	if r.examples[one.Contradiction] == nil {
		r.kinds = append(r.kinds, one.Contradiction)
	}
	r.examples[one.Contradiction] = append(r.examples[one.Contradiction], fmt.Sprintf("%s (%s) has %q, and the file %q", sample, place, short(one.Row), short(one.File)))
}

// short is a text as a message shows it.
func short(text string) string {
	const most = 80
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// Refuse is the error for a file that contradicts the benchmark's file in all rows.
func (r *repeats) Refuse(path string) error {
	kind := r.kinds[0]
	return omniscope.Invalidf("%s does not belong to %s, or belongs to another version of it: all of its %d rows that were compared contradict it, such as by %s: %s; --%s scores them all the same",
		path, r.data, r.Contradicting(), kind, r.examples[kind][0], AnyQuestions)
}

// Contradicting is the number of rows that contradict the file.
func (r *repeats) Contradicting() (n int) {
	for _, examples := range r.examples {
		n += len(examples)
	}
	return n
}

// Warnings give the number of contradicting rows by kind, with the first rows. kept means that they
// count all the same.
func (r *repeats) Warnings(kept bool) (warnings []string) {
	const shown = 3
	for _, kind := range r.kinds {
		all := r.examples[kind]
		what := "is left out and counts as missing" + r.hint
		if kept {
			what = "counts all the same (--" + AnyQuestions + ")"
		}
		text := fmt.Sprintf("%d rows of answers have %s than %s: the answer %s: %s", len(all), kind, r.data, what, strings.Join(all[:min(len(all), shown)], "; "))
		if n := len(all) - shown; n > 0 {
			text += fmt.Sprintf("; and %d more", n)
		}
		warnings = append(warnings, text)
	}
	if r.moved > 0 {
		warnings = append(warnings, fmt.Sprintf("%d rows of answers have the options in another order than %s: letters are read in the row's order", r.moved, r.data))
	}
	return warnings
}
