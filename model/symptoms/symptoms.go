// Package symptoms finds signs that a model's answer went wrong: it is in the
// wrong language, much too short or too long, runs in a loop, refuses, or has
// unrequested words around it. The kinds are the failures that
// section 5.1 and table 11 of the MCIF paper report from manual inspection, and
// those that its published outputs show besides.
//
// A symptom is a warning to print beside a score. It never is a score, changes
// none, and a text without symptoms may still be wrong. Where a rule had to err,
// it errs towards silence.
//
// Everything is deterministic, takes time in proportion to the text, and is
// safe for concurrent use.
package symptoms

import "fmt"

// A Kind names a failure.
type Kind string

// The kinds, in the order of Kinds.
const (
	Empty                 Kind = "empty"
	WrongLanguage         Kind = "wrong-language"
	UnderGeneration       Kind = "under-generation"
	OverGeneration        Kind = "over-generation"
	Repetition            Kind = "repetition"
	Refusal               Kind = "refusal"
	FixedAnswer           Kind = "fixed-answer"
	Chatter               Kind = "chatter"
	Thinking              Kind = "thinking"
	PromptEcho            Kind = "prompt-echo"
	Timestamps            Kind = "timestamps"
	ReplacementCharacters Kind = "replacement-characters"
)

// The tasks of MCIF, as Given.Task.
const (
	asr   = "ASR"   // transcription
	trans = "TRANS" // translation
	QA    = "QA"    // question answering
	sum   = "SUM"   // summarization
)

// Given is an answer and what is known of it. Only Text is needed: a rule that
// lacks something finds nothing.
type Given struct {
	Text      string
	Lang      string // the language asked for: en, de, it, zh
	Task      string // ASR, TRANS, QA, SUM
	Reference string // what a person answered
	Prompt    string // the instruction that the model got
}

// A Symptom is one sign. Value is at or beyond Threshold; Evidence is a short
// quotation or a figure, in words.
type Symptom struct {
	Kind      Kind
	Value     float64
	Threshold float64
	Evidence  string
}

// A kindInfo says what a kind means and when it is reported.
type kindInfo struct {
	Kind    Kind
	Meaning string // one line
	Rule    string // when it is reported, with the thresholds
	find    func(*Given) (Symptom, bool)
}

// Kinds lists all kinds, in the order in which Find reports them.
var Kinds = []kindInfo{
	{Empty, "no answer", "no letter and no digit", findEmpty},
	{WrongLanguage, "the answer is in another language than the one asked for",
		fmt.Sprintf("the text is recognised as another language, and at least %.0f %% of what is recognised in it is", 100*foreignShare), findWrongLanguage},
	{UnderGeneration, "the answer is much shorter than the reference",
		fmt.Sprintf("below %.0f %% of the reference's length (ASR, TRANS), %.0f %% (SUM)", 100*shortTalk, 100*shortSummary), findUnderGeneration},
	{OverGeneration, "the answer is much longer than the reference",
		fmt.Sprintf("above %.0f %% of the reference's length (ASR, TRANS), %.0f %% (SUM), %.0f %% and %d words (QA)", 100*longTalk, 100*longSummary, 100*longAnswer, longAnswerWords), findOverGeneration},
	{Repetition, "the answer runs in a loop",
		fmt.Sprintf("at least %.0f %% of the words, and %d, repeat what is right before them, %d times or more (characters, in Chinese); or one character stands %d times in a row and makes as large a share",
			100*loopShare, loopTokens, loopTimes, leastRun), findRepetition},
	{Refusal, "the model says that it cannot or will not do it",
		fmt.Sprintf("the text has at most %d words and starts with a refusal", refusalWords), findRefusal},
	{FixedAnswer, "a question that has an answer is called not answerable", "the fixed sentence, and another reference (QA)", findFixedAnswer},
	{Chatter, "words to the user around the answer", "a known opening or closing phrase", findChatter},
	{Thinking, "the answer holds the model's train of thought", "a known mark of one", findThinking},
	{PromptEcho, "the answer starts with its instruction", "the instruction, word for word", findPromptEcho},
	{Timestamps, "times in a transcript or translation", "a line that starts with a time (ASR, TRANS)", findTimestamps},
	{ReplacementCharacters, "broken characters", "U+FFFD, or bytes that are no UTF-8", findReplacementCharacters},
}

// Find returns the symptoms of an answer, in the order of Kinds and at most one
// of each. An empty answer has no other.
func Find(g Given) []Symptom {
	var found []Symptom
	for _, k := range Kinds {
		s, ok := k.find(&g)
		if !ok {
			continue
		}
		s.Kind = k.Kind
		found = append(found, s)
		if k.Kind == Empty {
			break
		}
	}
	return found
}
