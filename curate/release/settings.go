package release

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/internal/yamlfile"
)

// Settings are what release.yaml says of a set. Texts are Markdown.
type Settings struct {
	Name                string   `yaml:"name"`
	PrettyName          string   `yaml:"pretty_name"`
	Description         string   `yaml:"description"`
	Version             string   `yaml:"version"` // MAJOR.MINOR.PATCH
	Date                string   `yaml:"date"`    // of publication, YYYY-MM-DD; "" = not said
	License             string   `yaml:"license"` // of the annotations
	LicenseLink         string   `yaml:"license_link"`
	Languages           []string `yaml:"languages"`
	TaskCategories      []string `yaml:"task_categories"`
	AnnotationsCreators []string `yaml:"annotations_creators"`
	SourceDatasets      []string `yaml:"source_datasets"`
	Creators            []string `yaml:"creators"` // people
	Organizations       []string `yaml:"organizations"`
	Citation            string   `yaml:"citation"`
	Homepage            string   `yaml:"homepage"`
	Contact             string   `yaml:"contact"`
	GatedPrompt         string   `yaml:"gated_prompt"` // what users agree to before they get the files

	HowBuilt    string `yaml:"how_built"`
	Uses        string `yaml:"uses"`
	Limitations string `yaml:"limitations"`
	Biases      string `yaml:"biases"`
	Personal    string `yaml:"personal_information"`

	Split *Split `yaml:"split"` // nil = all items are for testing
}

// A Split says how many percent of sources each part gets.
type Split struct {
	Seed       uint64 `yaml:"seed"`
	Train      int    `yaml:"train"`
	Validation int    `yaml:"validation"`
	Test       int    `yaml:"test"`
}

// SettingsFile is a file of settings to start from.
//
//go:embed release.yaml
var SettingsFile []byte

// ReadSettings reads release.yaml. Errors name the file, the line where it is known, and what a misspelt field was meant
// to be.
func ReadSettings(path string) (*Settings, error) {
	text, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	s := &Settings{}
	if err := yamlfile.Decode(bytes.TrimPrefix(text, []byte("\ufeff")), s); err != nil {
		return nil, omniscope.Invalidf("%s: %w", path, err)
	}
	if err := s.check(); err != nil {
		return nil, omniscope.Invalidf("%s: %w", path, err)
	}
	return s, nil
}

var (
	plainName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$`) // as repositories of the hub are called
	languageCode = regexp.MustCompile(`^([a-z]{2,3}(-[A-Za-z0-9]+)*|multilingual)$`)
	creatorKinds = []string{"crowdsourced", "expert-generated", "found", "machine-generated", "no-annotation", "other"}
)

func (s *Settings) check() error {
	for _, field := range []struct {
		name    string
		missing bool
	}{
		{"name", s.Name == ""}, {"description", strings.TrimSpace(s.Description) == ""}, {"version", s.Version == ""}, {"license", s.License == ""},
		{"languages", len(s.Languages) == 0}, {"task_categories", len(s.TaskCategories) == 0}, {"annotations_creators", len(s.AnnotationsCreators) == 0},
	} {
		if field.missing {
			return fmt.Errorf("field %s is missing", field.name)
		}
	}
	if !plainName.MatchString(s.Name) {
		return fmt.Errorf("name %q: use letters, digits, dots and dashes; a title for people is pretty_name", s.Name)
	}
	if _, err := parseVersion(s.Version); err != nil {
		return err
	}
	if _, err := time.Parse(time.DateOnly, s.Date); s.Date != "" && err != nil {
		return fmt.Errorf("date %q is not of the form 2025-01-31", s.Date)
	}
	s.PrettyName = cmp.Or(s.PrettyName, s.Name)
	return errors.Join(s.checkLists(), s.checkLinks(), s.Split.check())
}

func (s *Settings) checkLists() error {
	for _, code := range s.Languages {
		if !languageCode.MatchString(code) {
			return fmt.Errorf("languages: %q is not a code such as en or yue", code)
		}
	}
	for _, kind := range s.AnnotationsCreators {
		if err := spelling.CheckChoice("annotations_creators", kind, creatorKinds); err != nil {
			return fmt.Errorf("annotations_creators: %q is not one of %s%s", kind, strings.Join(creatorKinds, ", "), spelling.Hint(kind, creatorKinds))
		}
	}
	return nil
}

func (s *Settings) checkLinks() error {
	for name, link := range map[string]string{"homepage": s.Homepage, "license_link": s.LicenseLink} {
		if u, err := url.Parse(link); link != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
			return fmt.Errorf("%s %q is no address that starts with https://", name, link)
		}
	}
	return nil
}

func (p *Split) check() error {
	if p == nil {
		return nil
	}
	if p.Train < 0 || p.Validation < 0 || p.Test < 0 || p.Train+p.Validation+p.Test != 100 {
		return fmt.Errorf("split: train %d, validation %d and test %d are percentages that must sum to 100", p.Train, p.Validation, p.Test)
	}
	return nil
}
