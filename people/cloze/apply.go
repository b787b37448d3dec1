package cloze

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/rows"
)

// apply puts changes into a row: changed[number] is a blank as it is to be. Everything else of the
// row stays, the order of its fields too. A row without changes stays as it is written.
func apply(text string, changed map[int]*blank) (string, error) {
	if len(changed) == 0 {
		return text, nil
	}
	cloze := gjson.Get(text, "cloze")
	inner := cloze.Raw
	if cloze.Type == gjson.String {
		inner = cloze.Str
	}
	var blanks []string
	for _, v := range gjson.Get(inner, "blanks").Array() {
		one := v.Raw
		if b := changed[int(v.Get("number").Int())]; b != nil {
			var err error
			if one, err = b.write(v); err != nil {
				return "", fmt.Errorf("write blank %d: %w", b.number, err)
			}
		}
		blanks = append(blanks, one)
	}
	inner, err := rows.Set(inner, rows.Array("blanks", blanks))
	if err != nil {
		return "", fmt.Errorf("read the cloze: %w", err)
	}
	field := rows.Field{Name: "cloze", JSON: inner}
	if cloze.Type == gjson.String {
		field = rows.String("cloze", inner)
	}
	return rows.Set(text, field)
}

// write returns the blank as it is in a row, with its changes. Fields that are not there are not added.
func (b *blank) write(v gjson.Result) (string, error) {
	var distractors []string
	for _, place := range b.distractors {
		distractors = append(distractors, b.options[place])
	}
	fields := slices.DeleteFunc([]rows.Field{
		rows.String("answer", b.options[b.key]), rows.List("distractors", distractors), rows.Count("answer_index", b.key),
		rows.String("answer_key", letters[b.key:b.key+1]), rows.String("required_modality", b.sense),
	}, func(f rows.Field) bool { return !v.Get(f.Name).Exists() })
	if name, offered := offeredOf(v); offered.Exists() {
		options, err := b.writeOptions(offered)
		if err != nil {
			return "", err
		}
		fields = append(fields, rows.Field{Name: name, JSON: options})
	}
	return rows.Set(v.Raw, fields...)
}

// writeOptions returns offered, a list or a map of options, with the options of the blank. It keeps the letters before them.
func (b *blank) writeOptions(offered gjson.Result) (string, error) {
	var texts []rows.Field
	for i, text := range b.options {
		place, letter := strconv.Itoa(i), letters[i:i+1]
		if offered.IsObject() {
			place = letter
		}
		if strings.HasPrefix(offered.Get(place).Str, letter+":") {
			text = letter + ": " + text
		}
		texts = append(texts, rows.String(place, text))
	}
	if offered.IsObject() {
		return rows.Set(offered.Raw, texts...)
	}
	var list []string
	for i, v := range offered.Array() {
		list = append(list, v.Raw)
		if i < len(texts) {
			list[i] = texts[i].JSON
		}
	}
	return rows.Array("", list).JSON, nil
}
