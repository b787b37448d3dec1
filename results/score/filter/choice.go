package filter

import (
	"omniscope/internal/rows"
	"omniscope/model/judge/letters"
)

// Choice adds two fields to each line of JSON Lines: "letter", of the option of "options" that
// "reply" chooses, or null, and "why", the reason for null. A published reader gives no reason,
// except that its scorer draws an option at random.
func Choice(published letters.Reader) Work {
	return onRecords(func(r *rows.Record) ([]rows.Field, error) {
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
			if letter == letters.Drawn {
				letter, why = "", "drawn at random"
			}
		} else {
			var i int
			i, why = letters.Read(reply, options)
			letter = letters.Letter(i)
		}
		if letter == "" {
			return []rows.Field{{Name: "letter", JSON: "null"}, rows.String("why", string(why))}, nil
		}
		return []rows.Field{rows.String("letter", letter), rows.String("why", "")}, nil
	}, "letter", "why")
}
