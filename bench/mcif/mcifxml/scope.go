package mcifxml

import "strings"

// A scope knows what the prefixes of names stand for.
type scope struct {
	bindings []binding // the last of a prefix counts
	marks    []int     // how many there were before each open element
}

type binding struct{ prefix, uri string }

const (
	xmlURI   = "http://www.w3.org/XML/1998/namespace"
	xmlnsURI = "http://www.w3.org/2000/xmlns/"
)

func (c *scope) enter() { c.marks = append(c.marks, len(c.bindings)) }

func (c *scope) leave() {
	last := len(c.marks) - 1
	c.bindings = c.bindings[:c.marks[last]]
	c.marks = c.marks[:last]
}

// bind lets a prefix, or "" for names without one, stand for a namespace.
func (c *scope) bind(prefix, uri string) *fault {
	what := ""
	switch {
	case uri == "" && prefix != "":
		what = undeclaredPrefix
	case prefix == "xmlns":
		what = reservedXMLNS
	case prefix == "xml" && uri != xmlURI:
		what = reservedXML
	case prefix != "xml" && uri == xmlURI, uri == xmlnsURI:
		what = reservedURI
	case strings.Contains(uri, "}"):
		what = syntaxError // Python writes names as {namespace}name
	}
	if what != "" {
		return &fault{what, tokenStart}
	}
	c.bindings = append(c.bindings, binding{prefix, uri})
	return nil
}

// expand returns {namespace}name for a name with or without a prefix. Only
// elements are in the namespace that has no prefix.
func (c *scope) expand(name string, element bool) (string, *fault) {
	prefix, local, found := strings.Cut(name, ":")
	if !found {
		prefix, local = "", name
		if !element {
			return name, nil
		}
	}
	if prefix == "xml" {
		return "{" + xmlURI + "}" + local, nil
	}
	for i := len(c.bindings) - 1; i >= 0; i-- {
		if b := c.bindings[i]; b.prefix == prefix {
			if b.uri == "" {
				break
			}
			return "{" + b.uri + "}" + local, nil
		}
	}
	if found {
		return "", &fault{unboundPrefix, tokenStart}
	}
	return name, nil
}
