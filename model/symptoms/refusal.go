package symptoms

import (
	"strings"
	"unicode/utf8"
)

// refusalWords is the most that a refusal has: a talk in which somebody is
// sorry has more.
const refusalWords = 120

// A refusal starts with an apology, or with what the model is, and goes on to
// say what it cannot do; or says that right away. The lists are short on
// purpose: each entry was seen, or is the usual translation of one that was.
var (
	apologies = []string{
		"i'm sorry", "i'm really sorry", "i'm very sorry", "i am sorry", "sorry", "i apologize", "i apologise", "my apologies", "unfortunately",
		"es tut mir sehr leid", "es tut mir leid", "tut mir leid", "entschuldigung", "leider",
		"mi dispiace", "spiacente", "mi scuso", "purtroppo", "scusa",
		"非常抱歉", "很抱歉", "抱歉", "对不起", "不好意思", "很遗憾",
	}
	selves = []string{
		"as an ai", "as a language model", "as a large language model", "as a text-based",
		"als ki", "als sprachmodell", "als künstliche intelligenz",
		"come ia", "come modello linguistico", "in quanto modello", "in quanto ia", "essendo un modello",
		"作为ai", "作为一个ai", "作为人工智能", "作为一个人工智能", "作为语言模型", "作为一个语言模型",
	}
	inabilities = []string{
		"i can't", "i cannot", "i can not", "i am unable", "i'm unable", "i am not able", "i'm not able", "i won't",
		"i don't have the ability", "i do not have the ability", "i don't have the capability",
		"ich bin nicht in der lage", "non posso", "non sono in grado", "non riesco", "non ho la possibilità",
		"我无法", "我不能", "我没有能力", "我没办法", "无法提供",
	}
	// German negates after the verb, and has the deed at the end.
	german    = []string{"ich kann", "kann ich", "ich darf"}
	negations = []string{"nicht", "kein"}
	// These need no deed, but an apology.
	absences = []string{
		"i don't have access", "i do not have access", "ich habe keinen zugriff", "habe ich keinen zugriff", "non ho accesso", "我无法访问", "我没有访问",
	}
)

// refusedActs are what a model refuses to do, by stems.
var refusedActs = []string{
	"assist", "help", "fulfil", "comply", "translate", "transcri", "process", "access", "hear", "listen", "watch", "view the", "open the", "play the",
	"übersetz", "transkri", "helfen", "unterstütz", "zugriff", "zugreifen", "anhören", "ansehen", "verarbeiten", "erfüllen", "kommunizieren",
	"aiutar", "assister", "assistenza", "tradur", "trascriv", "accedere", "accesso", "elaborar", "soddisfar", "ascoltar", "guardar",
	"帮助", "协助", "满足", "翻译", "转录", "转换", "访问", "处理", "听", "观看", "打开", "播放",
}

// lacks are refusals too where a model has nothing to look for, as in a
// transcription. In question answering they are how it says "not answerable".
var lacks = []string{
	"provide", "summari", "find the", "see the", "see or", "answer", "generate", "create", "complete", "understand", "describe",
	"bereitstell", "zusammenfass", "finden", "beantwort", "erstell", "verstehen", "beschreib",
	"fornir", "riassum", "trovar", "vedere", "rispond", "generar", "creare", "completar", "capire", "descriver",
	"提供", "总结", "概括", "找到", "看到", "回答", "生成", "完成", "理解", "描述",
}

// How far the parts of a refusal are apart, in characters.
const (
	inabilityWithin  = 90
	deedWithin       = 30
	germanDeedWithin = 80
)

func findRefusal(g *Given) (Symptom, bool) {
	text := fold(head(g.Text))
	if notAnswerable[plain(g.Text)] != "" || !refuses(text, g.Task) || refuses(fold(head(g.Reference)), g.Task) {
		return Symptom{}, false
	}
	words := length(g.Text)
	return Symptom{Value: words, Threshold: refusalWords, Evidence: quote(g.Text)}, words <= refusalWords
}

// Refuses reports whether a text does nothing but say that its writer will not
// or cannot do what was asked.
func Refuses(text string) bool {
	_, ok := findRefusal(&Given{Text: text})
	return ok
}

// RefusesToAnswer reports whether a reply to a question refuses it. A reply that finds no answer, or cannot give one, does not.
func RefusesToAnswer(text string) bool {
	_, ok := findRefusal(&Given{Text: text, Task: QA})
	return ok
}

func refuses(text, task string) bool {
	rest, sorry := cutStart(text, apologies)
	if !sorry {
		rest, sorry = cutStart(text, selves)
	}
	within := 0
	if sorry {
		within = inabilityWithin
	}
	for _, phrase := range absences {
		if _, ok := cutNear(rest, phrase, within); ok && sorry {
			return true
		}
	}
	for _, phrase := range inabilities {
		if after, ok := cutNear(rest, phrase, within); ok && isDeed(until(first(after, deedWithin), ",，.!?。！？"), task) {
			return true
		}
	}
	for _, phrase := range german {
		after, ok := cutNear(rest, phrase, within)
		after = until(first(after, germanDeedWithin), ".!?")
		if ok && containsAny(after, negations) && isDeed(after, task) {
			return true
		}
	}
	return false
}

// cutNear returns what follows phrase, if it starts within so many characters.
func cutNear(text, phrase string, within int) (after string, ok bool) {
	at := strings.Index(text, phrase)
	if at < 0 || utf8.RuneCountInString(text[:at]) > within {
		return "", false
	}
	return text[at+len(phrase):], true
}

func isDeed(text, task string) bool {
	return containsAny(text, refusedActs) || task != QA && containsAny(text, lacks)
}

// until returns text up to the first of marks.
func until(text, marks string) string {
	if end := strings.IndexAny(text, marks); end >= 0 {
		return text[:end]
	}
	return text
}
