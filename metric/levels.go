package metric

// The counts of captions that are rated in three dimensions (UGC-VideoCap, arXiv 2507.11336).
const (
	levelClips = iota // that are rated
	levelVisual
	levelAudio
	levelDetails
	levelAll
	LevelForced // among those that are rated: 0 in place of ratings that nobody gave
	levelNumFields
)

// TopLevel is the best rating of a dimension; the worst is 1.
const TopLevel = 5

// Levels scores captions that are rated from 1 to 5 in three dimensions, each as a share of the
// best rating, a mean over clips.
var Levels = Metric{
	Name:   "levels",
	Fields: []string{"clips", "visual", "audio", "details", "all_clips", "forced"},
	Scores: []Score{
		levelScore("average", "average", levelVisual, levelAudio, levelDetails),
		levelScore("visual", "visual", levelVisual),
		levelScore("audio", "audio", levelAudio),
		levelScore("details", "details", levelDetails),
	},
}

func levelScore(name, title string, dimensions ...int) Score {
	sum := func(c Counts) (sum float64) {
		for _, d := range dimensions {
			sum += c[d] / float64(len(dimensions))
		}
		return sum
	}
	return Score{
		Name: name, Title: title, Percent: true, Share: true,
		Value: func(c Counts) (float64, bool) { return sum(c) / (TopLevel * c[levelClips]), c[levelClips] > 0 },
		Bounds: func(c Counts) (low, high float64, ok bool) {
			unrated, all := c[levelAll]-c[levelClips], TopLevel*c[levelAll]
			return (sum(c) + unrated) / all, (sum(c) + TopLevel*(unrated+c[LevelForced])) / all, all > 0
		},
		N:        count(levelClips),
		Unscored: func(c Counts) int { return int(c[levelAll] - c[levelClips]) },
	}
}

// CountLevels makes the counts of a clip with its ratings, in the order of the fields; nil = it is
// not rated.
func CountLevels(ratings *[3]int) Counts {
	c := make(Counts, levelNumFields)
	c[levelAll] = 1
	if ratings != nil {
		c[levelClips], c[levelVisual], c[levelAudio], c[levelDetails] = 1, float64(ratings[0]), float64(ratings[1]), float64(ratings[2])
	}
	return c
}
