package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A module is one that go.mod names.
type module struct {
	Path, Version, Dir string
	Sum                string
	Main, Indirect     bool
}

// modulesOf are the modules that the go.mod in a folder names, and that are on this machine.
func modulesOf(ctx context.Context, dir string) (all []module, err error) {
	named, err := command(ctx, dir, nil, "go", "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var file struct{ Require []struct{ Path string } }
	if err := json.Unmarshal(named, &file); err != nil {
		return nil, err
	}
	args := []string{"list", "-m", "-json"}
	for _, r := range file.Require {
		args = append(args, r.Path)
	}
	out, err := command(ctx, dir, nil, "go", args...)
	if err != nil {
		return nil, err
	}
	for list := json.NewDecoder(bytes.NewReader(out)); ; {
		var m module
		if err := list.Decode(&m); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
}

// licenceFile is how files of licences are called.
var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|patents)([-.].*)?$`)

// licences are the files of a module that say under what it may be used. One without any is an error: it could not be passed on.
func (m *module) licences() (map[string][]byte, error) {
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, fmt.Errorf("the module %s is not on this machine: %w", m.Path, err)
	}
	files := make(map[string][]byte)
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		if files[e.Name()], err = os.ReadFile(filepath.Join(m.Dir, e.Name())); err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the module %s has no file with its licence", m.Path)
	}
	return files, nil
}

// isNotice reports whether a file beside the licences is none of the code: a notice, a grant of patents, or of a logo's picture,
// which no program holds.
func isNotice(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "notice") || strings.HasPrefix(name, "patents") || strings.HasSuffix(name, "-logo")
}

// known are words by which the texts of licences are told apart, the more special ones first.
var known = []struct{ id, has string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software"},
	{"ISC", "permission to use, copy, modify, and distribute this software for any purpose with or without fee"},
	{"BSD-3-Clause", "neither the name of"},
	{"BSD-3-Clause", "names of its contributors may"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce"},
	{"MIT", "permission is hereby granted, free of charge"},
	{"Unlicense", "this is free and unencumbered software released into the public domain"},
}

// licenceID is the SPDX identifier of a licence's text; "" = it is none of those known here.
func licenceID(text []byte) string {
	plain := strings.ReplaceAll(oneLine(text), "license, version", "license version")
	for _, k := range known {
		if strings.Contains(plain, k.has) {
			return k.id
		}
	}
	return ""
}

// isPublicDomain reports whether a text gives up all rights, for which SPDX has no identifier.
func isPublicDomain(text []byte) bool {
	return strings.Contains(oneLine(text), "has been dedicated to the public domain by the authors")
}

// oneLine is a text in lower case, with one blank in place of each stretch of blanks and line ends.
func oneLine(text []byte) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(string(text), func(r rune) bool { return r == ' ' || r == '\n' || r == '\r' || r == '\t' }), " "))
}
