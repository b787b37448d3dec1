package train

import (
	"cmp"
	"context"
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

// ReviewOf is the review in a row: the decided verdict of the people who reviewed its caption. A caption whose reviewers have not
// decided yet counts as not reviewed.
func ReviewOf(row []byte) Review {
	f := gjson.GetManyBytes(row, "verdict", "reviewed")
	if verdict := verdictOf(f[0]); verdict != "" {
		return verdict
	}
	if f[1].String() == "false" { // CSV has texts
		return NotReviewed
	}
	return ""
}

// ReadReviews reads the reviews in an export of a people's project, by caption. A row without one is not reviewed.
func ReadReviews(ctx context.Context, path string) (map[string]Review, error) {
	reviews := make(map[string]Review)
	_, err := rows.InOrder(ctx, path, func(_ *rows.File, _ int, text []byte) error {
		if err := rows.CheckJSON(text); err != nil {
			return err
		}
		for _, field := range bench.CaptionFields {
			caption := strings.TrimSpace(gjson.GetBytes(text, gjson.Escape(field)).String())
			if caption == "" {
				continue
			}
			if reviews[caption] != SentBack {
				reviews[caption] = cmp.Or(ReviewOf(text), NotReviewed)
			}
			break
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reviews, nil
}
