// Package marks takes off what models and chat templates leave around an answer: trains of thought between tags, the special tokens
// of tokenizers, and turns that a model adds after its own. The reader of letters (model/judge/letters) and the readers of judges'
// replies (model/judge) share it, and model/symptoms reports thoughts by the same list.
//
// It does not look for the answer. Marks that contradict each other leave no text, so that no answer is found.
package marks

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A family is the names of tags that open and close the same kind of thought, with other forms of them. Names are in small letters
// and match in either case.
type family struct{ names, opens, closes string }

// families: think is written by Qwen, DeepSeek, GLM, Kimi-VL (◁think▷), Magistral ([THINK]), Seed (seed:think), EXAONE (thought),
// Cohere (START_THINKING), OpenThinker (begin_of_thought), LongCat, s1 (im_start, then think), Gemma 4 (channel, then thought) and
// MedGemma (unused94). analysis and think are the default of lmms-eval's --reasoning_tags. The other names come from the prompts of
// reasoning models.
var families = []family{
	{`think(?:ing)?|thoughts?|thought_process|thinking_process|thinkingprocess|think_process|chain_of_thought|cot|seed:think|mm:think|longcat_think|antthinking`,
		`\[think\]|◁think▷|<\|(?:begin_of_|start_)?(?:thought|think(?:ing)?)\|>|<\|channel>\s*thought|<(?:unused94|ctrl94)>\s*thought|<\|im_start\|>\s*think\b`,
		`\[/think\]|◁/think▷|<\|(?:end_of_|end_|/)(?:thought|think(?:ing)?)\|>|<channel\|>|<(?:unused|ctrl)95>|<\|im_start\|>\s*answer\b`},
	{`reasoning|reason|rationale`, `<\|begin_of_reasoning\|>`, `<\|end_of_reasoning\|>`},
	{`analysis`, `<\|begin_of_analysis\|>`, `<\|end_of_analysis\|>`},
	{`reflection|seed:cot_budget_reflect`, `<\|begin_of_reflection\|>`, `<\|end_of_reflection\|>`},
	{`scratchpad|reasoning_scratchpad|inner_monologue|internal_monologue`, `<\|inner_prefix\|>`, `<\|inner_suffix\|>`},
}

// thought matches a mark that opens or closes a thought: group 2k+1 opens family k, group 2k+2 closes it.
var thought = func() *regexp.Regexp {
	var all []string
	for _, f := range families {
		all = append(all, `(<(?:`+f.names+`)(?:\s[^<>]{0,40})?>|`+f.opens+`)|(</(?:`+f.names+`)\s*>|`+f.closes+`)`)
	}
	return regexp.MustCompile(`(?i)^(?:` + strings.Join(all, "|") + `)`)
}()

// longest is the most bytes of a mark.
const longest = 64

// at calls do for each place of a text where a mark may begin, until it returns false. do returns where to go on.
func at(text string, do func(from int, ahead string) (next int, more bool)) {
	if strings.IndexByte(text, '<') < 0 && strings.IndexByte(text, '[') < 0 && !strings.Contains(text, "◁") {
		return
	}
	for i := 0; i < len(text); {
		if !mayBegin(text[i:]) {
			i++
			continue
		}
		next, more := do(i, text[i:min(len(text), i+longest)])
		if !more {
			return
		}
		i = max(next, i+1)
	}
}

// mayBegin reports whether a text begins as marks do.
func mayBegin(text string) bool {
	const wide = "｜"
	switch text[0] {
	case '<', '[':
		if len(text) < 3 {
			return false
		}
		next := text[1] | 0x20 // small letters
		return 'a' <= next && next <= 'z' || strings.IndexByte("/|<0", text[1]) >= 0 || text[1] == wide[0]
	case "◁"[0]:
		return strings.HasPrefix(text, "◁")
	}
	return false
}

// Thinks reports whether a text has a mark of a thought.
func Thinks(text string) (found bool) {
	at(text, func(_ int, ahead string) (int, bool) {
		found = thought.MatchString(ahead)
		return 0, !found
	})
	return found || strings.Contains(text, "<|channel|>")
}

// Answer returns the answer in a reply in free words: its first turn, without its train of thought and without special tokens. ok is
// false where the reply ends within its thought.
func Answer(reply string) (text string, ok bool) {
	text, ok = AfterThought(FirstTurn(reply))
	return strings.TrimSpace(WithoutTokens(text)), ok
}

// Unwrapped returns a description without a tag around all of it. Readers of choices need the tag: see package letters.
func Unwrapped(text string) string {
	if m := wrapped.FindStringSubmatch(text); m != nil && !strings.Contains(m[2], "</"+m[1]) && (m[3] == "" || strings.EqualFold(m[1], m[3])) {
		return strings.TrimSpace(m[2])
	}
	return text
}

// wrapped matches a text in one tag, as models that were trained to reason write their answer (R1-like models: <answer>). A text that
// was cut off lacks the tag at the end.
var wrapped = regexp.MustCompile(`(?is)^<(answer|final_answer|final|response|conclusion)>(.*?)(?:</(answer|final_answer|final|response|conclusion)>)?$`)

// AfterThought returns a reply without its train of thought. The mark that opens a thought may be in the prompt. ok is false where
// the reply ends within its thought.
func AfterThought(reply string) (text string, ok bool) {
	if text, ok = final(reply); !ok {
		return "", false
	}
	last := lastThought(text)
	const think = 0
	switch rest := text[last.end:]; {
	case last.open && (last.family == think || blank(text[last.end:last.start])):
		return "", false
	case last.open: // an answer, and its explanation, which was cut off
		return text[last.end:last.start], true
	case blank(rest) && last.first > 0: // an answer, and its explanation
		return text[:last.first], true
	default:
		return rest, true
	}
}

// A lastOf describes the thoughts of a text. end is where the last closed thought ends. If a thought is open, family is
// its family and start is where it starts. first is where the first thought starts; -1 = its opening mark is missing.
type lastOf struct {
	end, start, family, first int
	open                      bool
}

func lastThought(text string) lastOf {
	last := lastOf{first: -1}
	at(text, func(from int, ahead string) (int, bool) {
		m := thought.FindStringSubmatchIndex(ahead)
		if m == nil || inQuotes(text, from, from+m[1]) {
			return 0, true
		}
		family, opens := familyOf(m)
		switch {
		case !last.open && opens:
			last.open, last.family, last.start = true, family, from
			if last.first < 0 && last.end == 0 {
				last.first = from
			}
		case !last.open || family == last.family && !opens:
			last.open, last.end = false, from+m[1]
		}
		return from + m[1], true
	})
	return last
}

// quoted matches what is before a text in quotation marks.
var quoted = regexp.MustCompile("(?:[“„«‘]|(?:^|[\\s(])[\"'`])$")

// inQuotes reports whether text[from:to] is alone in quotation marks: words that are read in a picture, and not a mark.
func inQuotes(text string, from, to int) bool {
	after, _ := utf8.DecodeRuneInString(text[to:])
	return strings.ContainsRune("”“\"'’`»", after) && quoted.MatchString(text[max(0, from-4):from])
}

// familyOf is the family of a match, and whether the mark opens a thought.
func familyOf(m []int) (family int, opens bool) {
	for g := 1; 2*g < len(m); g++ {
		if m[2*g] >= 0 {
			return (g - 1) / 2, g%2 == 1
		}
	}
	return -1, false
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// The channels of gpt-oss (the harmony form), with their marks, and as they are where special tokens were left out of the text.
var (
	channel     = regexp.MustCompile(`<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>`)
	channelEnd  = regexp.MustCompile(`<\|(?:start|end|return|call|channel)\|>`)
	userTurn    = regexp.MustCompile(`<\|start\|>\s*user`)
	bareThought = regexp.MustCompile(`^(?:assistant)?(?:analysis|commentary)\s?\p{Lu}`)
	bareFinal   = regexp.MustCompile(`^(?:assistant)?final([\p{Lu}(*{"\[\d])`)
)

// final returns the text of the final channel, or a reply without channels as it is.
func final(reply string) (text string, ok bool) {
	if !strings.Contains(reply, "<|channel|>") {
		return afterBareChannels(reply)
	}
	var finals []string
	next := len(reply) // where another question begins
	for _, m := range channel.FindAllStringSubmatchIndex(reply, -1) {
		if reply[m[2]:m[3]] != "final" || m[0] > next {
			continue
		}
		if finals == nil {
			if turn := userTurn.FindStringIndex(reply[m[1]:]); turn != nil {
				next = m[1] + turn[0]
			}
		}
		said := reply[m[1]:]
		if end := channelEnd.FindStringIndex(said); end != nil {
			said = said[:end[0]]
		}
		finals = append(finals, said)
	}
	text = strings.Join(finals, "\n")
	return text, !blank(text)
}

func afterBareChannels(reply string) (text string, ok bool) {
	const mark = "assistantfinal"
	bare := strings.TrimSpace(reply)
	switch turns := strings.Count(bare, mark); {
	case turns > 1: // ambiguous
		return "", false
	case turns == 1:
		_, after, _ := strings.Cut(bare, mark)
		return after, !blank(after)
	case bareThought.MatchString(bare):
		return "", false
	case bareFinal.MatchString(bare):
		return bareFinal.ReplaceAllString(bare, "$1"), true
	}
	return reply, true
}
