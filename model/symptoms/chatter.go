package symptoms

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope/model/marks"
)

// openings announce an answer. They count if the announcement also names what
// is asked for, and ends in a colon.
var openings = []string{
	"here is", "here's", "here are", "sure", "certainly", "of course", "okay, here", "below is",
	"hier ist", "hier sind", "hier die", "hier der", "gerne", "natürlich", "klar", "sicher", "selbstverständlich",
	"ecco", "certo", "certamente", "di seguito", "questa è la",
	"以下是", "好的", "当然", "这是", "下面是",
}

// products are the names of what is asked for, by task.
var products = map[string][]string{
	asr:   {"transcri", "english content", "what is said", "written version", "audio", "transkri", "trascri", "转录", "文字"},
	trans: {"translat", "übersetz", "auf deutsch", "ins deutsche", "deutsche inhalt", "deutsche version", "traduz", "in italiano", "翻译", "中文", "汉语"},
	sum:   {"summar", "abstract", "zusammenfass", "kurzfassung", "riassunto", "sintesi", "总结", "摘要", "概述", "概括"},
	QA:    {"answer", "response", "antwort", "risposta", "答案", "回答"},
}

// examples are announced in talks as well.
var examples = []string{"example", "beispiel", "esempi", "例"}

// labels describe the answer to a transcription or translation instead of
// being it, up to a colon.
var labels = []string{
	"the english content", "the english text", "the original content", "the transcription", "the transcript of", "the text in the image",
	"the translation of", "the english translation of", "the german translation of", "the content of the audio",
	"der englische inhalt lautet", "der inhalt lautet", "die übersetzung des", "die übersetzung lautet", "die deutsche übersetzung",
	"il contenuto inglese", "il contenuto in inglese", "la traduzione del", "la traduzione dello", "la traduzione della", "la traduzione dell'", "la traduzione di", "la trascrizione",
	"这段英语内容可以", "这段英文内容可以", "这段英语内容表达", "这段英文内容翻译", "翻译结果", "中文翻译",
}

// An invitation closes an answer: other questions, or interest, and a way to
// say so. Speakers invite questions and interest too, but hardly other questions:
// interest counts only where no talk is to be reproduced.
type invitation struct{ questions, interest, contact []string }

var invitations = []invitation{
	{
		questions: []string{"any other question", "other translation", "any more question", "any further question", "need further", "need anything else"},
		interest:  []string{"want to know more", "need any"},
		contact:   []string{"feel free to ask", "let me know", "feel free to let", "just ask", "feel free to tell"},
	},
	{
		questions: []string{"weitere fragen", "andere fragen"},
		interest:  []string{"noch fragen", "mehr wissen", "noch etwas wissen"},
		contact:   []string{"lass es mich", "lass mich", "lassen sie es mich", "lassen sie mich", "frag", "lass sie", "sag mir", "stehe"},
	},
	{
		questions: []string{"altre domande", "ulteriori domande", "bisogno di altro"},
		interest:  []string{"saperne di più"},
		contact:   []string{"fammi sapere", "chiedi", "non esitare", "sono qui"},
	},
	{
		questions: []string{"还有其他", "还有啥", "有其他问题", "需要其他"},
		interest:  []string{"还有什么", "还有任何"},
		contact:   []string{"问我", "跟我说", "告诉我", "尽管问", "随时问", "再聊"},
	},
}

// announcementLength is the most, in characters, that comes before the colon;
// an invitation is not longer than invitationLength.
const (
	announcementLength = 150
	invitationLength   = 170
)

func findChatter(g *Given) (Symptom, bool) {
	s := Symptom{Value: 1, Threshold: 1}
	if start := announcement(head(g.Text), g.Task); start != "" && announcement(head(g.Reference), g.Task) == "" {
		s.Evidence = quote(start)
		return s, true
	}
	if end := invites(tail(g.Text), g.Task); end != "" && invites(tail(g.Reference), g.Task) == "" {
		s.Evidence = quote(end)
		return s, true
	}
	return s, false
}

// announcement returns the words before the answer, "" if there are none.
func announcement(text, task string) string {
	end := strings.IndexAny(text, ":：")
	if end < 0 {
		return ""
	}
	start := text[:end]
	if utf8.RuneCountInString(start) > announcementLength {
		return ""
	}
	folded := fold(start)
	if _, ok := cutStart(folded, openings); ok && containsAny(folded, products[task]) && !containsAny(folded, examples) {
		return start
	}
	if _, ok := cutStart(folded, labels); ok && (task == asr || task == trans) {
		return start
	}
	return ""
}

// invites returns the end of an answer from the words on that invite more
// questions, "" if none do.
func invites(text, task string) string {
	end := strings.ToLower(lastCharacters(text, invitationLength))
	for _, i := range invitations {
		phrases := i.questions
		if task == QA || task == sum {
			phrases = slices.Concat(i.questions, i.interest)
		}
		for _, p := range phrases {
			if at := strings.Index(end, p); at >= 0 && containsAny(end[at:], i.contact) {
				return end[at:]
			}
		}
	}
	return ""
}

func lastCharacters(text string, n int) string {
	start := len(text)
	for ; start > 0 && n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	return text[start:]
}

// thoughts start a train of thought that should not be in the answer. Package
// marks has the tags, which mark one anywhere near the start or end.
var thoughts = []string{"think:", "thinking:", "think here's", "think the user", "special instruction", "my thinking process", "internal monologue", "the user wants me to", "okay, the user", "<think"}

func findThinking(g *Given) (Symptom, bool) {
	text := fold(head(g.Text))
	_, ok := cutStart(text, thoughts)
	ok = ok || marks.Thinks(head(g.Text)) || marks.Thinks(tail(g.Text))
	return Symptom{Value: 1, Threshold: 1, Evidence: quote(g.Text)}, ok
}

// leastPrompt, in bytes, keeps a prompt of one or two words from being found
// in an answer.
const leastPrompt = 12

func findPromptEcho(g *Given) (Symptom, bool) {
	prompt := plain(g.Prompt)
	ok := len(prompt) >= leastPrompt && strings.HasPrefix(fold(head(g.Text)), prompt)
	return Symptom{Value: 1, Threshold: 1, Evidence: quote(g.Text)}, ok
}

func findTimestamps(g *Given) (Symptom, bool) {
	if g.Task != asr && g.Task != trans {
		return Symptom{}, false
	}
	count, evidence := 0, ""
	for line := range strings.Lines(g.Text) {
		if !startsWithTime(line) {
			continue
		}
		if count++; count == 1 {
			evidence = quote(line)
		}
	}
	return Symptom{Value: float64(count), Threshold: 1, Evidence: evidence}, count > 0
}

// startsWithTime reports whether line starts with minutes and seconds, or hours
// too, perhaps in brackets: 00:14, [1:02:33].
func startsWithTime(line string) bool {
	line = strings.TrimLeft(line, " \t[(*")
	digits, colons := 0, 0
	for i, r := range line {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == ':' && digits >= 1 && digits <= 2:
			colons++
			digits = 0
		default:
			return colons >= 1 && colons <= 2 && digits == 2 && (unicode.IsSpace(r) || strings.ContainsRune("])*,.-–", r)) && i > 0
		}
	}
	return colons >= 1 && colons <= 2 && digits == 2
}
