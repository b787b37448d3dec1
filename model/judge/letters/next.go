package letters

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// nextQuestion matches the beginning of another question in a line, or of a turn of somebody else, as models write them that do not
// stop after their answer: a heading at the start of the line, behind a sentence, or behind a letter alone (group 1); names of
// speakers of chat templates.
var nextQuestion = regexp.MustCompile(`(?:^[ \t#>*_(\[-]*|[.!?)\]][*_"']*[ \t]+[*_]*|^([^\pL]*\pL[^\pL]*[ \t])[*_]*)` +
	`(?:(?:(?:[Nn]ext |[Nn]ew |[Aa]nother )?[Qq]uestion|QUESTION|Query|Q|Frage|Pregunta|Pergunta|Domanda|Soal|Pertanyaan|[Cc]âu hỏi|Вопрос|السؤال|سؤال|प्रश्न|सवाल)[ \t]*#?\d*[ \t]*[*_]*(?:[:)]|\.[ \t])` +
	`|(?:Instruction|User|USER|Human|HUMAN)[*_]*:` +
	`|(?:[Nn]ext question|[Qq]uestion \d+|(?:Problem|Exercise|Example|Task) \d+)[*_]*[ \t]*(?:[:.)]|$)` +
	`|(?:下一题|下一个问题|问题|题目|用户|質問|問題|次の質問|ユーザー|질문|문제|사용자)[ \t]*\d*[ \t]*:` +
	`)|^[ \t]*(?:user|human|system|assistant)[ \t]*$|^[ \t]*(?:[Aa]ssistant|ASSISTANT):`)

// questionWords are parts of texts that nextQuestion matches, one of them in each except for those with a Q alone.
var questionWords = []string{"question", "query", "frage", "pregunta", "pergunta", "domanda", "soal", "pertanyaan", "âu hỏi", "Вопрос", "سؤال", "प्रश्न", "सवाल", "instruction", "user", "human",
	"problem", "exercise", "example", "task", "题", "用户", "質問", "問題", "ユーザー", "질문", "문제", "사용자", "system", "assistant"}

// mayAskNext reports whether nextQuestion may match in a text, which is much faster than to try it.
func mayAskNext(small string, ascii bool) bool {
	for rest := small; ; {
		i := strings.IndexByte(rest, 'q')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		if rest == "" || strings.IndexByte("abcdefghijklmnopqrstuvwxyz", rest[0]) < 0 {
			return true
		}
	}
	return slices.ContainsFunc(questionWords, func(word string) bool { return (!ascii || word[0] < utf8.RuneSelf) && strings.Contains(small, word) })
}

// cutNextQuestion cuts a reply before the next question, if the model continues with one; otherwise rest is "".
func cutNextQuestion(text string) (before, rest string) {
	small, ok := smallLetters(text)
	ascii := isASCII(text)
	if ok && !mayAskNext(small, ascii) {
		return text, ""
	}
	start := 0
	for line := range strings.Lines(text) {
		if !ok || mayAskNext(small[start:start+len(line)], ascii) {
			for _, m := range nextQuestion.FindAllStringSubmatchIndex(strings.TrimSuffix(line, "\n"), -1) {
				cut := start + m[0]
				switch {
				case m[2] >= 0:
					cut = start + m[3]
				case strings.IndexByte(".!?)]", text[cut]) >= 0:
					cut++
				}
				if strings.TrimSpace(withoutMarkup(text[:cut])) != "" {
					return text[:cut], text[cut:]
				}
			}
		}
		start += len(line)
	}
	return text, ""
}

// repeatedIn reports whether a text lists this question's options, at least two and half of them.
func (r *reader) repeatedIn(text string) bool {
	words, found := strings.Join(strings.Fields(strings.ToLower(text)), " "), 0
	for _, o := range r.options {
		if len(o) > 1 && strings.Contains(words, o) {
			found++
		}
	}
	return found >= 2 && 2*found >= len(r.options)
}

// firstLine returns the option that is alone in the first of several lines, unless a list of options begins there; -1 = not found.
func (r *reader) firstLine(text string) int {
	first, others, several := strings.Cut(text, "\n")
	if !several {
		return -1
	}
	l, rest, ok := label(first)
	i := Index(l, len(r.options))
	if words := plain(rest); !ok || i < 0 || words != "" && r.withWords(words) != i {
		return -1
	}
	for line := range strings.Lines(others) {
		if next, _, ok := label(strings.TrimSpace(line)); ok {
			if next == Letter(i+1) {
				return -1
			}
			break
		}
	}
	return i
}
