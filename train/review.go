package train

import (
	"context"
	"errors"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/bench"
	"omniscope/internal/rows"
)

// A Review is the verdict of people on a caption; "" = its row is not from a people's project.
type Review string

// The reviews.
const (
	NotReviewed Review = "not reviewed" // no verdict yet
	Approved    Review = "approved"
	SentBack    Review = "sent back"
)

// verdicts are the words of people's projects, also in exports of other versions.
var verdicts = map[string]Review{"approve": Approved, "approved": Approved, "send back": SentBack, "sent back": SentBack, "reject": SentBack, "rejected": SentBack}

// verdictOf reads a verdict, also in another spelling, as in tables.
func verdictOf(v gjson.Result) Review {
	return verdicts[strings.Join(strings.FieldsFunc(strings.ToLower(v.Str), func(r rune) bool { return r == '_' || r == '-' || r == ' ' }), " ")]
}

// ReviewOf is the review in a row. A caption with two reviews is sent back if one of them sends it back. An unreviewed
// description has the field reviewed, or numbers of its sentences.
func ReviewOf(row []byte) Review {
	f := gjson.GetManyBytes(row, "verdict", "second.verdict", "reviewed", "sentences.0.number")
	switch first, second := verdictOf(f[0]), verdictOf(f[1]); {
	case first == SentBack || second == SentBack:
		return SentBack
	case first == Approved:
		return Approved
	case f[2].String() == "false" || f[3].Exists(): // CSV has texts
		return NotReviewed
	}
	return ""
}

// ReadReviews reads the reviews in an export of a people's project, by caption. A row without one is not reviewed.
func ReadReviews(ctx context.Context, path string) (reviews map[string]Review, err error) {
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	reviews = make(map[string]Review)
	for i := range lines.Len() {
		text, err := lines.At(i)
		if err != nil {
			return nil, err
		}
		if why := rows.CheckJSON(text); why != nil {
			return nil, lines.Bad(i, text, why)
		}
		for _, field := range bench.CaptionFields {
			caption := strings.TrimSpace(gjson.GetBytes(text, gjson.Escape(field)).String())
			if caption == "" {
				continue
			}
			review := ReviewOf(text)
			if review == "" {
				review = NotReviewed
			}
			if reviews[caption] != SentBack {
				reviews[caption] = review
			}
			break
		}
	}
	return reviews, nil
}
