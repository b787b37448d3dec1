package mcifxml

import "strings"

// A scope is a prefix of names and its namespace, within the scope around it.
// Nil has no prefixes.
type scope struct {
	prefix, uri string
	around      *scope
}

const (
	xmlURI   = "http://www.w3.org/XML/1998/namespace"
	xmlnsURI = "http://www.w3.org/2000/xmlns/"
)

// bind gives a prefix, or "" for names without one, a namespace.
func (c *scope) bind(prefix, uri string) (*scope, *fault) {
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
		return nil, &fault{what, tokenStart}
	}
	return &scope{prefix, uri, c}, nil
}

// expand returns {namespace}name for a name with or without a prefix. Only
// elements are in the namespace that has no prefix.
func (c *scope) expand(name string, element bool) (string, *fault) {
	prefix, local, found := strings.Cut(name, ":")
	switch {
	case !found && !element:
		return name, nil
	case !found:
		prefix, local = "", name
	case prefix == "xml":
		return "{" + xmlURI + "}" + local, nil
	}
	for ; c != nil; c = c.around {
		if c.prefix == prefix && c.uri != "" {
			return "{" + c.uri + "}" + local, nil
		} else if c.prefix == prefix {
			break
		}
	}
	if found {
		return "", &fault{unboundPrefix, tokenStart}
	}
	return name, nil
}

// expandAttrs replaces the prefixes of attributes by their namespaces, which
// can make two of them the same.
func (c *scope) expandAttrs(n *node) *fault {
	var seen map[string]bool
	for i, a := range n.attrs {
		if !strings.Contains(a.name, ":") {
			continue
		}
		name, f := c.expand(a.name, false)
		if f != nil {
			return f
		}
		if seen[name] {
			return &fault{duplicateAttr, tokenStart}
		}
		if seen == nil {
			seen = map[string]bool{}
		}
		seen[name] = true
		n.attrs[i].name = name
	}
	return nil
}
