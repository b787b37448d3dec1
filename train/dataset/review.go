package dataset

import (
	"github.com/tidwall/gjson"

	"omniscope/train"
)

// readReviews reads the reviews of people's projects. If a file has a reviewed row, its other rows count as not reviewed.
func (b *building) readReviews() {
	ofProject := make(map[string]bool) // by file
	for _, r := range b.rows {
		r.review = train.ReviewOf(r.Text)
		ofProject[r.File] = ofProject[r.File] || r.review != ""
	}
	for _, r := range b.rows {
		if r.review == "" && ofProject[r.File] {
			r.review = train.NotReviewed
		}
	}
}

func returned(_ *building, r *row) string {
	if r.review != train.SentBack {
		return ""
	}
	if comment := r.field("comment"); comment != "" {
		return "people sent it back: " + comment
	}
	return "people sent it back"
}

func unreviewed(b *building, r *row) string {
	switch {
	case r.review != train.NotReviewed || b.Rules.Unreviewed:
		return ""
	case gjson.GetBytes(r.Text, "reviews.#").Int() > 0:
		return "its reviewers have not decided: some reviews are missing, or a senior has to settle it"
	}
	return "it is from a people's project, and no reviewer has reviewed it"
}
