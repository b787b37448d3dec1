package marks

import (
	"regexp"
	"strings"
)

// Special tokens of tokenizers, as texts have them that were decoded with them. A bar may be the full-width one of DeepSeek.
const (
	bar   = `[|｜]`
	gap   = `[_▁ ]` // DeepSeek writes ▁ between words
	roles = `user|human|system|developer|tool|observation|ipython`
	own   = `assistant|model|bot|ai|gpt|chatbot`
)

var (
	// ends are tokens that end a turn or a text: im_end (Qwen, InternLM, Kimi), endoftext (GPT, Qwen, Phi), eot_id and eom_id
	// (Llama 3), eot (Llama 4), end_of_turn (Gemma, Baichuan), turn| (Gemma 4), return and end (gpt-oss, Phi-3), </s> (Llama 2,
	// Mistral), end▁of▁sentence (DeepSeek), endofturn (EXAONE, HyperCLOVA), END_OF_TURN_TOKEN (Cohere), end_of_utterance (SmolVLM,
	// Idefics), UNUSED_TOKEN_145 (InternLM 2), e~ (MiniMax).
	ends = regexp.MustCompile(`(?i)^(?:<` + bar + `(?:im_end|endoftext|end_of_text|eot_id|eom_id|eot|eom|eos|eod|eoc|eop|return|end|stop|` +
		`(?:end` + gap + `of` + gap + `|endof|end_of_|end_)(?:sentence|turn|turn_token|response|message|utterance|text|assistant)|assistant_end|message_end|role_end)` + bar + `>` +
		`|</s>|<(?:eos|eot|eod|eop|eoa|eom|end|end_of_turn|end_of_utterance|end_of_text|seed:eos|longcat_s|/longcat_s)>|<turn\|>` +
		`|\[(?:eos|eot|end|end_of_text|unused_token_145|\|endofturn\|)\]|\[e~\[)`)
	// theirs begin a turn of somebody else, mine a turn of the model.
	theirs = regexp.MustCompile(`(?i)^(?:<` + bar + `(?:` + roles + `|im_user|im_system|user_token|system_token|hy_user)` + bar + `>` +
		`|<` + bar + `(?:im_start|start|start_header_id|start_of_role|role_start)` + bar + `>\s*(?:` + roles + `)\b(?:<` + bar + `(?:end_header_id|end_of_role|role_end|im_sep|message)` + bar + `>)?` +
		`|<(?:start_of_turn>|\|turn>)\s*(?:` + roles + `)\b|\[inst\]|\[\|(?:` + roles + `)\|\]|<role>\s*(?:` + roles + `)\s*</role>|<longcat_user>|<reserved_106>)`)
	mine = regexp.MustCompile(`(?i)^(?:<` + bar + `(?:` + own + `|im_assistant|chatbot_token|hy_assistant)` + bar + `>(?:assistant<\|im_middle\|>)?` +
		`|<` + bar + `(?:im_start|start|start_header_id|start_of_role|role_start)` + bar + `>\s*(?:` + own + `)\b(?:<` + bar + `(?:end_header_id|end_of_role|role_end|im_sep|message)` + bar + `>)?` +
		`|<(?:start_of_turn>|\|turn>)\s*(?:` + own + `)\b|\[/inst\]|\[\|(?:` + own + `)\|\]|<role>\s*(?:` + own + `)\s*</role>|<longcat_assistant>|<reserved_107>)`)
	// noise are all other tokens.
	noise = regexp.MustCompile(`(?i)^(?:<` + bar + `/?[\pL\pN_▁:./ -]{1,48}` + bar + `>|</?s>|<(?:bos|pad|unk|sep|cls|mask|sop|seed:bos|0x0[ad]|unused\d{1,4}|extra_id_\d{1,3}|reserved_\d{1,4})>` +
		`|\[(?:bos|pad|unk|sep|cls|mask|gmask|sop)\]|<</?sys>>)`)
	// spoken is the name of the speaker before an answer, as chat templates write it without their tokens, with the turn before it.
	spoken = regexp.MustCompile(`^\s*(?s:(?:(?:system|user|human)[ \t]*\n|(?:System|SYSTEM|User|USER|Human|HUMAN)[ \t]*:).*?\s(?:(?:assistant|model)[ \t]*\n|(?:Assistant|ASSISTANT)[ \t]*:)` +
		`|(?:#+\s*)?[*_]*(?i:assistant|ai|bot|chatbot|gpt|chatgpt|model)\s*[*_]*:[*_]*|(?:assistant|model)[ \t]*\n)\s*`)
)

// The kinds of turns, in the order of turns.
const (
	ending = iota
	others
	models
)

var (
	turns  = []*regexp.Regexp{ends, theirs, mine}
	tokens = append(turns[:3:3], noise)
)

// FirstTurn returns the model's first turn of a reply: what comes before a token that ends it or begins another. Where the reply
// begins with a turn of somebody else, as one that repeats its prompt does, the turn after that is meant.
func FirstTurn(reply string) string {
	if strings.Contains(reply, "<|channel|>") { // AfterThought reads these
		return reply
	}
	start, seen, end := 0, 0, len(reply) // the turn, and how far it was looked at
	skipping, said := false, false       // a turn of somebody else; the turn has more than tokens
	at(reply, func(from int, ahead string) (int, bool) {
		said = said || !skipping && !blank(reply[seen:from])
		if m := noise.FindString(ahead); m != "" {
			seen = from + len(m)
		}
		for kind, form := range turns {
			m := form.FindString(ahead)
			switch {
			case m == "" || kind == ending && struckOut(reply, from, m):
				continue
			case said:
				end = from
				return 0, false
			case kind == others:
				skipping = true
			case kind == models:
				start, skipping = from+len(m), false
			}
			seen = from + len(m)
			return seen, true
		}
		said = said || !skipping && seen <= from // a mark of another kind
		return seen, true
	})
	if skipping {
		return ""
	}
	return spoken.ReplaceAllString(reply[start:end], "")
}

// struckOut reports whether </s> is HTML's end of words that are crossed out, and not a token: the line goes on behind it.
func struckOut(reply string, from int, token string) bool {
	if token != "</s>" && token != "</S>" {
		return false
	}
	ahead := reply[from+len(token):]
	rest, _, _ := strings.Cut(ahead[:min(len(ahead), longest)], "\n")
	rest = strings.TrimSpace(rest)
	return rest != "" && rest[0] != '<' && rest[0] != '['
}

// WithoutTokens replaces each special token with a blank.
func WithoutTokens(text string) string {
	var out strings.Builder
	kept := 0
	at(text, func(from int, ahead string) (int, bool) {
		for _, form := range tokens {
			if m := form.FindString(ahead); m != "" {
				out.WriteString(text[kept:from])
				out.WriteByte(' ')
				kept = from + len(m)
				return kept, true
			}
		}
		return 0, true
	})
	if kept == 0 {
		return text
	}
	out.WriteString(text[kept:])
	return out.String()
}
