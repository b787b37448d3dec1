package mcif

import (
	"fmt"
	"strings"

	"omniscope/metric/textnorm"
)

// readTranslations reads the tables of each language that talks are translated to.
func (s *source) readTranslations() error {
	s.translated, s.abstracts = make(map[string]map[string]lines), make(map[string]map[string]string)
	for i := range s.languages.Others {
		l := &s.languages.Others[i]
		transcripts, abstracts := make(map[string]lines), make(map[string]string)
		err := s.eachTranslation(fmt.Sprintf(translatedTable, l.Table), func(talk string, sources, targets []string) {
			transcripts[talk] = lines{strings.Join(sources, "\n"), strings.Join(targets, "\n")}
		})
		if err != nil {
			return err
		}
		err = s.eachTranslation(fmt.Sprintf(summaryTable, l.Table), func(talk string, _, targets []string) {
			abstracts[talk] = textnorm.Strip(strings.Join(targets, " "))
		})
		if err != nil {
			return err
		}
		s.translated[l.Code], s.abstracts[l.Code] = transcripts, abstracts
	}
	return s.checkTranslations()
}

// eachTranslation calls do for each row of a table of translations.
func (s *source) eachTranslation(name string, do func(talk string, sources, targets []string)) error {
	t, err := readTable(s.tables, name)
	if err != nil {
		return err
	}
	seen := make(map[string]int)
	for _, r := range t.rows {
		sources, targets, err := r.pairs()
		if err != nil {
			return err
		}
		talk := r.cells[0]
		if before := seen[talk]; before > 0 {
			return r.bad(talk, "the talk is there already, on line %d", before)
		}
		seen[talk] = r.line
		do(talk, sources, targets)
	}
	return nil
}

// checkTranslations makes sure that each talk with questions is translated.
func (s *source) checkTranslations() error {
	for i := range s.questions {
		q := &s.questions[i]
		if q.number != "1" {
			continue
		}
		for k := range s.languages.Others {
			l := &s.languages.Others[k]
			if _, ok := s.translated[l.Code][q.talk]; !ok {
				return q.bad(q.talk, "the talk has no row in %q", fmt.Sprintf(translatedTable, l.Table))
			}
			if _, ok := s.abstracts[l.Code][q.talk]; !ok {
				return q.bad(q.talk, "the talk has no row in %q", fmt.Sprintf(summaryTable, l.Table))
			}
		}
	}
	return nil
}

// abstract is the translated abstract of a talk that is only summarised.
func (s *source) abstract(l *language, talk *summary) (string, error) {
	text, ok := s.abstracts[l.Code][talk.talk]
	if !ok {
		return "", talk.bad(talk.talk, "the talk has no row in %q", fmt.Sprintf(summaryTable, l.Table))
	}
	return text, nil
}
