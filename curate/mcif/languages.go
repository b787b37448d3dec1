package mcif

import (
	_ "embed"
	"fmt"
	"os"
	"regexp"

	"omniscope"
	"omniscope/internal/yamlfile"
)

// LanguagesFile is the file of MCIF's languages, for users to start from.
//
//go:embed languages.yaml
var LanguagesFile []byte

// languages are those of a test set.
type languages struct {
	Spoken language   // in the talks
	Others []language // that talks are translated to, in the order in which prompts are drawn
}

// A language says how instructions are put in it. The last prompt of each list is the one of the set with fixed prompts.
type language struct {
	Code          string
	Table         string // how it is called in the names of its tables, such as german; the spoken one has none
	NotAnswerable string `yaml:"not_answerable"` // the reference of a question that the talk does not answer

	Transcribe []string // of the spoken language
	Translate  []string // of the others
	Summarize  []string
	Answer     []string // the question follows, after a blank
}

// publishedLanguages are those of MCIF: English talks; German, Italian and Chinese.
func publishedLanguages() (*languages, error) { return decodeLanguages(LanguagesFile) }

// ReadLanguages reads a file of languages, such as LanguagesFile.
func ReadLanguages(path string) (*languages, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, omniscope.Usagef("languages: %v", err)
	}
	l, err := decodeLanguages(text)
	if err != nil {
		return nil, omniscope.Invalidf("%s: %w", path, err)
	}
	return l, nil
}

func decodeLanguages(text []byte) (*languages, error) {
	l := &languages{}
	if err := yamlfile.Decode(text, l); err != nil {
		return nil, err
	}
	return l, l.check()
}

// all are the languages, the spoken one first.
func (l *languages) all() []*language {
	all := []*language{&l.Spoken}
	for i := range l.Others {
		all = append(all, &l.Others[i])
	}
	return all
}

// plain is what may stand in names of files and columns.
var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

func (l *languages) check() error {
	seen := make(map[string]bool)
	for i, one := range l.all() {
		switch spoken := i == 0; {
		case !plain.MatchString(one.Code):
			return fmt.Errorf("the code %q of a language is not made of letters, digits, _ and -: write one such as de", one.Code)
		case seen[one.Code]:
			return fmt.Errorf("the language %s is there twice", one.Code)
		case !spoken && !plain.MatchString(one.Table):
			return fmt.Errorf("language %s: the field table is %q: write how its tables are called, such as german", one.Code, one.Table)
		case one.NotAnswerable == "":
			return fmt.Errorf("language %s: not_answerable is empty: write how a question is answered that the talk does not answer", one.Code)
		case len(one.Summarize) == 0 || len(one.Answer) == 0 || spoken && len(one.Transcribe) == 0 || !spoken && len(one.Translate) == 0:
			return fmt.Errorf("language %s: it needs prompts to summarize, to answer, and to %s", one.Code, map[bool]string{true: "transcribe", false: "translate"}[spoken])
		}
		seen[one.Code] = true
	}
	return nil
}
