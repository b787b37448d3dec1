package mcifxml

import (
	"regexp"
	"strings"
)

// A dtd is the document type, which is read for its entities. What it declares
// of elements and attributes is passed over, so that values it gives to
// attributes are not known, and nothing in another file is ever opened.
type dtd struct {
	entities   map[string]*entity
	skipsNames bool // parts of the declarations are elsewhere: unknown names may be right
	standalone bool // the file declares that they do not matter
}

const (
	dtdName = `[\pL_][\pL\pM\pN._·-]*`
	dtdText = `(?:"[^"]*"|'[^']*')`
	dtdFile = `(?:SYSTEM\s+` + dtdText + `|PUBLIC\s+` + dtdText + `\s+` + dtdText + `)`
)

var (
	dtdStart  = regexp.MustCompile(`^<!DOCTYPE\s+` + dtdName + `(?::` + dtdName + `)?(?:\s+(` + dtdFile + `))?\s*([\[>])`)
	dtdEntity = regexp.MustCompile(`^<!ENTITY\s+(%\s+)?(` + dtdName + `)\s+(?:(` + dtdText + `)|` + dtdFile + `(\s+NDATA\s+` + dtdName + `)?)\s*>`)
	dtdOther  = regexp.MustCompile(`^(?s:\s+|<!--(?:-?[^-])*-->|<\?` + dtdName + `(?:\s.*?)?\?>|<!(?:ELEMENT|ATTLIST|NOTATION)(?:\s+(?:` + dtdText + `|[\pL\pM\pN._:·#()|,*+?\[\]-]+))+\s*>)`)
	dtdPart   = regexp.MustCompile(`^%` + dtdName + `;`)
	dtdEnd    = regexp.MustCompile(`^\]\s*>`)
	charRef   = regexp.MustCompile(`&#[^;]*;`)
)

// declare reads the document type at p and returns the offset after it.
func (d *document) declare(s string, p int) (int, *fault) {
	m := dtdStart.FindStringSubmatch(s[p:])
	if m == nil {
		return 0, &fault{syntaxError, p}
	}
	d.skipsNames = m[1] != ""
	elsewhere := false // a part that is not read may have declared anything
	for p += len(m[0]); m[2] == "["; {
		if end := dtdEnd.FindString(s[p:]); end != "" {
			return p + len(end), nil
		}
		part := dtdPart.FindString(s[p:])
		if part != "" {
			d.skipsNames, elsewhere = true, !d.standalone
		} else if part = dtdOther.FindString(s[p:]); part == "" {
			e := dtdEntity.FindStringSubmatch(s[p:])
			if e == nil {
				return 0, &fault{syntaxError, p}
			}
			if f := d.entity(e, elsewhere); f != nil {
				return 0, &fault{f.what, p}
			}
			part = e[0]
		} else if target, _, _ := strings.Cut(strings.TrimPrefix(part, "<?"), " "); strings.EqualFold(strings.TrimSuffix(target, "?>"), "xml") {
			return 0, &fault{misplacedDecl, p}
		}
		p += len(part)
	}
	return p, nil
}

// entity keeps a declaration: of a name, its first.
func (d *document) entity(m []string, elsewhere bool) *fault {
	if f := d.count(1, 0); f != nil {
		return f
	}
	e := &entity{external: m[3] == "", notation: m[4] != ""}
	if !e.external {
		var f *fault
		if e.value, f = replacement(m[3][1 : len(m[3])-1]); f != nil {
			return f
		}
	}
	if parameter := m[1] != ""; parameter && e.notation {
		return &fault{what: syntaxError}
	} else if parameter || elsewhere || d.entities[m[2]] != nil {
		return nil
	}
	if d.entities == nil {
		d.entities = map[string]*entity{}
	}
	d.entities[m[2]] = e
	return nil
}

// replacement is the text of an entity as it will be read: with its numbered
// characters in place, and its references to entities untouched.
func replacement(s string) (string, *fault) {
	if strings.Contains(s, "%") {
		return "", &fault{what: parameterEntity}
	}
	for p := strings.IndexByte(s, '&'); p >= 0 && p < len(s); {
		end, f := referenceEnd(s, p)
		if f != nil {
			return "", &fault{what: notWellFormed}
		}
		next := strings.IndexByte(s[end:], '&')
		if next < 0 {
			break
		}
		p = end + next
	}
	var bad *fault
	s = charRef.ReplaceAllStringFunc(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), func(ref string) string {
		text, f := numbered(ref)
		if f != nil {
			bad = f
		}
		return text
	})
	return s, bad
}
