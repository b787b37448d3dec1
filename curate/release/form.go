package release

import (
	"cmp"

	"github.com/tidwall/gjson"

	"omniscope/metric/textnorm"
)

// A form says where rows hold what a release tells of them.
type form struct {
	id, media string                      // names of fields
	text      func(gjson.Result) []string // whose words are counted
	questions func(gjson.Result) []string // modality of each question; nil = the form has none
}

// formOf finds the form of a file by its first row. Fields that the user names come before those of the form.
func formOf(row gjson.Result, idField, mediaField string) *form {
	f := &form{media: "video_path", text: allText}
	switch {
	case row.Get("cloze").Exists():
		f.id, f.text, f.questions = "uuid", clozePassage, clozeModalities
	case row.Get("events").IsObject():
		f.id, f.text, f.questions = "video_id", eventTexts, eventClasses
	}
	if idField != "" {
		f.id = idField
	}
	if mediaField != "" {
		f.media = mediaField
	}
	return f
}

// clozeOf is the cloze of a row of Omni-Cloze, which may be an object or a string of JSON.
func clozeOf(row gjson.Result) gjson.Result {
	cloze := row.Get("cloze")
	if cloze.Type == gjson.String {
		return gjson.Parse(cloze.Str)
	}
	return cloze
}

func clozePassage(row gjson.Result) []string { return []string{clozeOf(row).Get("passage").String()} }

func clozeModalities(row gjson.Result) (all []string) {
	for _, blank := range clozeOf(row).Get("blanks").Array() {
		all = append(all, orUnknown(blank.Get("required_modality").String()))
	}
	return all
}

func eventTexts(row gjson.Result) (all []string) {
	row.Get("events").ForEach(func(_, list gjson.Result) bool {
		all = append(all, allText(list)...)
		return true
	})
	return all
}

// eventClasses are the classes of the keypoints of a row of CapRiCorn-1K, as its file calls them.
func eventClasses(row gjson.Result) (all []string) {
	row.Get("events").ForEach(func(class, list gjson.Result) bool {
		for range list.Array() {
			all = append(all, class.Str)
		}
		return true
	})
	return all
}

// allText are all strings in a value, at any depth.
func allText(v gjson.Result) (all []string) {
	switch {
	case v.Type == gjson.String:
		return []string{v.Str}
	case v.IsObject() || v.IsArray():
		v.ForEach(func(_, inner gjson.Result) bool {
			all = append(all, allText(inner)...)
			return true
		})
	}
	return all
}

// words counts words separated by blanks, and the letters of scripts without blanks.
func words(texts []string) (n int) {
	for _, text := range texts {
		n += textnorm.CountWords(text)
	}
	return n
}

const unknown = "unknown"

func orUnknown(s string) string { return cmp.Or(s, unknown) }
