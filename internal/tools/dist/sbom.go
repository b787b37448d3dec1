package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
)

// The list of modules in the form of CycloneDX 1.6 (ECMA-424), as far as it is used here.
type (
	bom struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		Scope      string     `json:"scope,omitempty"`
		Purl       string     `json:"purl,omitempty"`
		Licenses   []licensed `json:"licenses,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	licensed struct {
		License licence `json:"license"`
	}
	licence struct {
		ID   string `json:"id,omitempty"`
		Name string `json:"name,omitempty"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// writeSBOM lists all modules of go.mod: those that are in a program as required, those that only tests and tools use as excluded.
func (b *builder) writeSBOM(path string) error {
	doc := bom{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{component{Type: "application", Ref: "omniscope", Name: "omniscope", Version: b.version}}}
	for _, m := range b.modules {
		c := component{Type: "library", Ref: m.Path + "@" + m.Version, Name: m.Path, Version: m.Version, Scope: "excluded", Purl: "pkg:golang/" + strings.ToLower(m.Path) + "@" + m.Version}
		if b.linked[m.Path] {
			c.Scope = "required"
		}
		if m.Sum != "" {
			c.Properties = []property{{"go.sum", m.Sum}}
		}
		texts, err := m.licences()
		if err != nil && b.linked[m.Path] {
			return err
		}
		ids := make(map[string]bool)
		for name, text := range texts {
			if id := licenceID(text); id != "" {
				ids[id] = true
			} else if !isNotice(name) {
				ids["see licences/"+m.Path+"/"+name] = true
			}
		}
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			if strings.HasPrefix(id, "see ") {
				c.Licenses = append(c.Licenses, licensed{licence{Name: id}})
			} else {
				c.Licenses = append(c.Licenses, licensed{licence{ID: id}})
			}
		}
		doc.Components = append(doc.Components, c)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}
