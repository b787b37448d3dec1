package filter

import (
	"omniscope/bench/record"
	"omniscope/model/judge/letters"
)

// Choice adds to each line of JSON Lines "letter", that of the option of "options" that
// "reply" chooses, or null, and "why" there is none. A published reader gives no reason.
func Choice(published letters.Reader) Work {
	return onRecords(func(r *record.Record) ([]record.Field, error) {
		reply, err := r.Text("reply")
		if err != nil {
			return nil, err
		}
		options, err := r.Texts("options")
		if err != nil {
			return nil, err
		}
		letter, why := "", letters.NoOption
		if published != nil {
			letter = published(reply, options)
		} else {
			var i int
			i, why = letters.Read(reply, options)
			letter = letters.Letter(i)
		}
		if letter == "" {
			return []record.Field{{Name: "letter", JSON: "null"}, record.String("why", string(why))}, nil
		}
		return []record.Field{record.String("letter", letter), record.String("why", "")}, nil
	}, "letter", "why")
}
