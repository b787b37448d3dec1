package langcode

import (
	"slices"
	"strings"

	"golang.org/x/text/language"

	"omniscope/internal/spelling"
)

// names are how people call languages rather than by their code.
var names = map[string]string{
	"english": "en", "german": "de", "deutsch": "de", "italian": "it", "italiano": "it", "chinese": "zh", "mandarin": "zh", "中文": "zh", "cn": "zh",
	"french": "fr", "français": "fr", "spanish": "es", "español": "es", "japanese": "ja", "日本語": "ja", "jp": "ja", "korean": "ko", "kr": "ko",
	"portuguese": "pt", "russian": "ru", "dutch": "nl", "arabic": "ar", "hindi": "hi", "turkish": "tr", "polish": "pl", "czech": "cs", "ukrainian": "uk",
}

// meant is the code of two letters that somebody means by a name, a code
// of three letters, capitals or a country; "" = not known.
func meant(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if code := names[name]; code != "" {
		return code
	}
	if tag, err := language.All.Parse(strings.ReplaceAll(name, "_", "-")); err == nil {
		base, _ := tag.Base()
		if base.String() != "und" {
			return base.String()
		}
	}
	return ""
}

// Hint offers the language that is meant, if it is one of those there are.
func Hint(name string, languages []string) string {
	if code := meant(name); slices.Contains(languages, code) {
		return spelling.Offer([]string{code})
	}
	return ""
}
