package model

import (
	"regexp"
	"strings"
	"unicode"
)

// A Finish is the reason why a model stopped, by its meaning. FinishOf reads it from the words of
// the endpoints, which differ. Any other value is an unknown word of an endpoint.
type Finish string

// The finish reasons, as the OpenAI protocol spells them where it has them.
const (
	unstated      Finish = ""               // the endpoint gave no reason
	Stop          Finish = "stop"           // the answer is complete
	Length        Finish = "length"         // a limit of tokens or of the context cut it off
	repetition    Finish = "repetition"     // the server cut it off because it repeated itself
	ContentFilter Finish = "content_filter" // a filter took it out, cut it off or refused it
	calledTool    Finish = "tool_calls"     // the model called a tool
	GaveUp        Finish = "error"          // the server failed while it answered
)

// finishes are the meanings in the order in which they are tried, each with the forms of its words
// in small letters with blanks between them. Sources, read in 2026: OpenAI's and Azure's API references;
// vLLM (v1/engine/__init__.py) and SGLang; ai.google.dev/api/generate-content and go-genai's types.go;
// anthropic-sdk-go's message.go; Amazon Bedrock's Converse; Mistral (model_length), Cohere, DeepSeek
// (insufficient_system_resource), Zhipu (sensitive, network_error), xAI (REASON_MAX_LEN), watsonx.ai
// (not_finished, time_limit), llama.cpp and TGI (eos_token).
var finishes = []struct {
	means Finish
	words *regexp.Regexp
}{
	{unstated, regexp.MustCompile(`^(finish reason |reason )?(unspecified|null|none)?$`)},
	{Stop, regexp.MustCompile(`^(finish reason |reason )?(stop( sequence| token| word| string)?s?|stopped|eos( token)?|eot|end|ended|end ?of ?(text|turn|sequence|stream)|end turn|endoftext|complete|completed|finish|finished|done|normal|ok|success|succeeded)$`)},
	{ContentFilter, regexp.MustCompile(`filter|safety|unsafe|recit|sensitiv|prohibit|moderat|refus|declin|guardrail|toxic|violat|polic(y|ies)\b|block|\bs?pii\b|censor|nsfw|inappropriate|copyright|harm|\brisk|\barmor|\bflag|jailbreak|reject|restrict|disallow|forbid|violen|\bhat(e|red|eful)\b|sexual|explicit|\bcsam\b|illegal|infring|interven`)},
	{GaveUp, regexp.MustCompile(`\berr|error|fail|abort|cancel|malform|unexpected|too many|time ?d? ?out|time limit|deadline|rate ?limit|quota|capacity|insufficient|unavailable|overload|network|exception|crash|interrupt|preempt|terminat|\bkill|shut ?down|connection|disconnect|memory|\boom\b|invalid|\bmissing|\bno image|\binternal\b|resource|by user|^(un)?load$|^(finish reason |reason )?(image )?(other|language)$`)},
	{repetition, regexp.MustCompile(`repet|repeat|\bloop`)},
	{Length, regexp.MustCompile(`\bmax|length|limit|\blen\b|tokens|context|window|exceed|truncat|incomplete|partial|(not|un) ?finished|budget|cut ?off|too long|overflow|\bfull$|exhaust|ran out`)},
	{calledTool, regexp.MustCompile(`tool|function`)},
	{Stop, regexp.MustCompile(`\bstop|\beos\b|\bend|\bcompleted?\b|\bfinished\b|\bdone\b`)},
}

// FinishOf returns the meaning of an endpoint's word for why an answer ended, in any spelling, such
// as MAX_TOKENS, FinishReason.MAX_TOKENS and maxTokens. A word without a known meaning is returned as it is.
func FinishOf(word string) Finish {
	if Finish(word).IsKnown() {
		return Finish(word)
	}
	spaced := spacedWords(word)
	for _, f := range finishes {
		if f.words.MatchString(spaced) {
			return f.means
		}
	}
	return Finish(FirstWords(word))
}

// IsKnown reports whether the meaning of a finish reason is known. An answer with an unknown reason
// counts as complete; a warning counts such answers.
func (f Finish) IsKnown() bool {
	for _, known := range finishes {
		if f == known.means {
			return true
		}
	}
	return false
}

// spacedWords returns a name in small letters, with single blanks instead of punctuation and between
// the words of camelCase, and without the name of the type before it.
func spacedWords(name string) string {
	name = strings.TrimPrefix(name, "FinishReason.")
	var out strings.Builder
	previous := ' '
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			out.WriteByte(' ')
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			out.WriteByte(' ')
			fallthrough
		default:
			out.WriteRune(unicode.ToLower(r))
		}
		previous = r
	}
	return strings.Join(strings.Fields(out.String()), " ")
}
