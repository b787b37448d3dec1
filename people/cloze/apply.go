package cloze

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/valyala/fastjson"
)

// apply puts changes into a row: changed[number] is a blank as it is to be. Everything else of the
// row stays, the order of its fields too. A row without changes stays as it is written.
func apply(text string, changed map[int]*blank) (string, error) {
	if len(changed) == 0 {
		return text, nil
	}
	var outer, inner fastjson.Parser
	all, err := outer.Parse(text)
	if err != nil {
		return "", fmt.Errorf("read the row: %w", err)
	}
	cloze := all.Get("cloze")
	inText := cloze.Type() == fastjson.TypeString
	if inText {
		if cloze, err = inner.ParseBytes(cloze.GetStringBytes()); err != nil {
			return "", fmt.Errorf("read the cloze: %w", err)
		}
	}
	var arena fastjson.Arena
	for _, v := range cloze.GetArray("blanks") {
		if b := changed[v.GetInt("number")]; b != nil {
			b.write(v, &arena)
		}
	}
	if inText {
		all.Set("cloze", arena.NewString(string(cloze.MarshalTo(nil))))
	}
	return string(all.MarshalTo(nil)), nil
}

// write puts the blank into its place in a row. Fields that are not there are not added.
func (b *blank) write(v *fastjson.Value, arena *fastjson.Arena) {
	set := func(name string, value *fastjson.Value) {
		if v.Exists(name) {
			v.Set(name, value)
		}
	}
	set("answer", arena.NewString(b.options[b.key]))
	distractors := arena.NewArray()
	for i, place := range b.distractors {
		distractors.SetArrayItem(i, arena.NewString(b.options[place]))
	}
	set("distractors", distractors)
	set("answer_index", arena.NewNumberInt(b.key))
	set("answer_key", arena.NewString(letters[b.key:b.key+1]))
	set("required_modality", arena.NewString(b.sense))
	name, offered := offeredOf(gjson.ParseBytes(v.MarshalTo(nil)))
	if !offered.Exists() {
		return
	}
	for i, text := range b.options {
		place, letter := strconv.Itoa(i), letters[i:i+1]
		if offered.IsObject() {
			place = letter
		}
		if strings.HasPrefix(string(v.GetStringBytes(name, place)), letter+":") {
			text = letter + ": " + text
		}
		v.Get(name).Set(place, arena.NewString(text))
	}
}
