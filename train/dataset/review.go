package dataset

import "omniscope/train"

// readReviews finds out which rows come of people's projects. In a file with rows that people reviewed all others are not reviewed.
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
	if r.review == train.NotReviewed && !b.Rules.Unreviewed {
		return "it comes of a people's project, and nobody has reviewed it"
	}
	return ""
}
