package release

import (
	"cmp"
	"regexp"
	"strings"

	"omniscope"
)

// A licence is a word for a licence, and what is known of it.
type licence struct {
	word      string // as the source has it
	name      string // in the spelling of the Hugging Face hub; "" = not known
	link      string // address of its text
	attribute bool   // the author must be named
	noChanges bool   // changed media, such as cut ones, may not be passed on
}

var (
	ccWord    = regexp.MustCompile(`^cc-(by|by-sa|by-nd|by-nc|by-nc-sa|by-nc-nd)-(1\.0|2\.0|2\.5|3\.0|4\.0)$`)
	ccAddress = regexp.MustCompile(`^creativecommons\.org/licenses/([a-z-]+)/([0-9.]+)(/|$)`)
	ccZero    = regexp.MustCompile(`^creativecommons\.org/publicdomain/zero/1\.0(/|$)`)
)

// others are the licences of data and code that are no variant of Creative Commons Attribution, by the identifiers of SPDX
// in small letters.
var others = map[string]licence{
	"cc0-1.0":             {link: "https://creativecommons.org/publicdomain/zero/1.0/"},
	"pddl-1.0":            {name: "pddl", link: "https://opendatacommons.org/licenses/pddl/1-0/"},
	"odc-by-1.0":          {name: "odc-by", link: "https://opendatacommons.org/licenses/by/1-0/", attribute: true},
	"odbl-1.0":            {name: "odbl", link: "https://opendatacommons.org/licenses/odbl/1-0/", attribute: true},
	"cdla-permissive-1.0": {link: "https://spdx.org/licenses/CDLA-Permissive-1.0.html"},
	"cdla-permissive-2.0": {link: "https://spdx.org/licenses/CDLA-Permissive-2.0.html"},
	"cdla-sharing-1.0":    {link: "https://spdx.org/licenses/CDLA-Sharing-1.0.html"},
	"mit":                 {link: "https://spdx.org/licenses/MIT.html", attribute: true},
	"apache-2.0":          {link: "https://spdx.org/licenses/Apache-2.0.html", attribute: true},
	"bsd-3-clause":        {link: "https://spdx.org/licenses/BSD-3-Clause.html", attribute: true},
	"gpl-3.0":             {link: "https://spdx.org/licenses/GPL-3.0-only.html", attribute: true},
}

// shortNames are other words for the same.
var shortNames = map[string]string{"cc0": "cc0-1.0", "pddl": "pddl-1.0", "odc-by": "odc-by-1.0", "odbl": "odbl-1.0"}

// licenceOf looks a word up. A word without a version, such as "CC BY", is not known: versions differ in what they ask.
func licenceOf(word string) licence {
	l := licence{word: word}
	key := plainWord(word)
	if other, ok := others[key]; ok {
		other.word, other.name = word, cmp.Or(other.name, key)
		return other
	}
	m := ccWord.FindStringSubmatch(key)
	if m == nil {
		return l
	}
	l.name, l.link = key, "https://creativecommons.org/licenses/"+m[1]+"/"+m[2]+"/"
	l.attribute, l.noChanges = true, strings.HasSuffix(m[1], "-nd")
	return l
}

// plainWord is a word in the spelling of the lists above, if it is an address or another spelling of one.
func plainWord(word string) string {
	key := strings.ToLower(strings.TrimSpace(word))
	_, address, found := strings.Cut(key, "://")
	if !found {
		address = key
	}
	address = strings.TrimPrefix(address, "www.")
	if m := ccAddress.FindStringSubmatch(address); m != nil {
		return "cc-" + m[1] + "-" + m[2]
	}
	if ccZero.MatchString(address) {
		return "cc0-1.0"
	}
	key = strings.Join(strings.FieldsFunc(key, func(r rune) bool { return r == ' ' || r == '_' || r == '-' }), "-")
	if full, ok := shortNames[key]; ok {
		return full
	}
	return key
}

// checkLicences refuses items whose source has no licence, or leaves them out, and warns of what a reader should look at.
func (s *set) checkLicences() error {
	var without []string
	kept := s.items[:0]
	for _, it := range s.items {
		if it.source.licence == "" {
			without = append(without, it.id)
			continue
		}
		kept = append(kept, it)
	}
	if n := len(without); n > 0 && !s.o.WithoutUnlicensed {
		where := "name a file of sources with --sources"
		if s.o.Sources != "" {
			where = "add it in " + s.o.Sources
		}
		return omniscope.Invalidf("%d items of %s have no licence: %s, or leave them out with --without-unlicensed: %s", n, s.rows.Path, where, list(without))
	}
	if s.unlicensed, s.items = len(without), kept; len(kept) == 0 {
		return omniscope.Invalidf("%s: no item is left to release", s.rows.Path)
	}
	if licenceOf(s.o.Settings.License).name == "" && s.o.Settings.LicenseLink == "" {
		s.warn("the license of the annotations, %q, is not known, and license_link does not say where its text is", s.o.Settings.License)
	}
	s.warnOfLicences()
	s.warnOfSettings()
	return nil
}

// warnOfSettings names what Croissant 1.0 asks of every set, and the settings do not say.
func (s *set) warnOfSettings() {
	o := s.o.Settings
	var missing []string
	for _, field := range []struct {
		name  string
		there bool
	}{{"homepage", o.Homepage != ""}, {"date", o.Date != ""}, {"creators or organizations", len(o.Creators)+len(o.Organizations) > 0}} {
		if !field.there {
			missing = append(missing, field.name)
		}
	}
	if len(missing) > 0 {
		s.warn("croissant.json lacks what Croissant 1.0 asks for: the settings have no %s", strings.Join(missing, ", no "))
	}
}

func (s *set) warnOfLicences() {
	var unnamed, fixed []string
	unknownWords := make(map[string]int)
	for _, it := range s.items {
		l := licenceOf(it.source.licence)
		if l.name == "" {
			unknownWords[l.word]++
		}
		if l.attribute && it.source.attribution == "" && it.source.origin == "" && it.source.url == "" {
			unnamed = append(unnamed, it.id)
		}
		if l.noChanges && s.o.Media != "" {
			fixed = append(fixed, it.id)
		}
	}
	for _, word := range sortedKeys(unknownWords) {
		s.warn("the licence %q of %d items is not known: write it as SPDX does, with its version, such as CC-BY-4.0", word, unknownWords[word])
	}
	if len(unnamed) > 0 {
		s.warn("%d items need attribution and have none, nor an origin or address: %s", len(unnamed), list(unnamed))
	}
	if len(fixed) > 0 {
		s.warn("the licence of %d items forbids passing changed media on, and a cut clip is one: %s", len(fixed), list(fixed))
	}
}
