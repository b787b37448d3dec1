package score

// A Python says what the published program of a measure prints.
type Python struct {
	Several  bool // systems at a time
	Segments bool // it can print the scores of segments
	Text     bool // it has a form of text beside its form of JSON
	Lines    func(s *Scored, text, perSegment bool) []string
}

// Each are the lines of one system's segments.
func (s *Scored) Each(system int, line func(counts []float64) string) []string {
	var lines []string
	for _, counts := range s.Systems[system].Rows {
		lines = append(lines, line(counts))
	}
	return lines
}
