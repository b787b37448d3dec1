package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// pythonModule is the folder of the Python module, and its name in a wheel.
const pythonModule = "omniscope"

// readPython reads the Python module and the page that describes it.
func (b *builder) readPython() error {
	b.python = make(map[string]inArchive)
	dir := filepath.Join(b.module, "python", pythonModule)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != "py.typed" && path.Ext(e.Name()) != ".py" {
			continue // such as what Python compiled
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		b.python[pythonModule+"/"+e.Name()] = inArchive{text: text}
	}
	b.pythonPage, err = os.ReadFile(filepath.Join(b.module, "python", "README.md"))
	return err
}

// wheel writes the Python wheel of a platform.
func (b *builder) wheel(ctx context.Context, p platform, out string) error {
	program, err := b.read(ctx, p)
	if err != nil {
		return err
	}
	tags, err := wheelTags(p, program.text)
	if err != nil {
		return err
	}
	name, packed, err := b.packWheel(program, tags)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, name), packed, 0o644)
}

// packWheel makes a wheel (packaging.python.org, "Binary distribution format"): the module, and the program as one of its scripts.
func (b *builder) packWheel(program *builtProgram, tags []string) (name string, packed []byte, err error) {
	version, err := pep440(b.version)
	if err != nil {
		return "", nil, err
	}
	licences := map[string]inArchive{"LICENSE": b.shared["LICENSE"], "NOTICE": b.shared["NOTICE"]}
	if err := b.addLicences(licences, "", program.linked); err != nil {
		return "", nil, err
	}
	description, err := b.wheelMetadata(version, licences)
	if err != nil {
		return "", nil, err
	}
	stem := "omniscope-" + version
	info := stem + ".dist-info/"
	files := maps.Clone(b.python)
	files[stem+".data/scripts/"+program.name] = inArchive{text: program.text, runs: true}
	for name, f := range licences {
		files[info+"licenses/"+name] = f
	}
	files[info+"METADATA"] = inArchive{text: description}
	files[info+"WHEEL"] = inArchive{text: wheelForm(tags)}
	files[info+"RECORD"] = inArchive{text: wheelRecord(files, info+"RECORD")}
	var w bytes.Buffer
	if err := writeZip(&w, "", wheelOrder(files, info), files); err != nil {
		return "", nil, err
	}
	return stem + "-py3-none-" + strings.Join(tags, ".") + ".whl", w.Bytes(), nil
}

// wheelMetadata is METADATA (packaging.python.org, "Core metadata specifications", 2.4).
func (b *builder) wheelMetadata(version string, licences map[string]inArchive) ([]byte, error) {
	var w bytes.Buffer
	fmt.Fprintf(&w, "Metadata-Version: 2.4\nName: omniscope\nVersion: %s\n", version)
	w.WriteString("Summary: Score how well models see and hear: the program omniscope, and a module that runs it and reads its results\n")
	w.WriteString("Requires-Python: >=3.9\nProvides-Extra: pandas\nRequires-Dist: pandas; extra == \"pandas\"\nProvides-Extra: arrow\nRequires-Dist: pyarrow; extra == \"arrow\"\n")
	ids := make(map[string]bool)
	names := slices.Sorted(maps.Keys(licences))
	for _, name := range names {
		if isNotice(path.Base(name)) {
			continue
		}
		id := licenceID(licences[name].text)
		switch {
		case id != "":
		case isPublicDomain(licences[name].text):
			id = "LicenseRef-Public-Domain"
		default:
			return nil, fmt.Errorf("%s: no licence that is known here; add it to `known`, so that the wheel can say what it is under", name)
		}
		ids[id] = true
	}
	fmt.Fprintf(&w, "License-Expression: %s\n", strings.Join(slices.Sorted(maps.Keys(ids)), " AND "))
	for _, name := range names {
		fmt.Fprintf(&w, "License-File: %s\n", name)
	}
	fmt.Fprintf(&w, "Description-Content-Type: text/markdown\n\n%s", b.pythonPage)
	return w.Bytes(), nil
}

// wheelForm is the file WHEEL. The module is not pure, since a wheel is for one platform.
func wheelForm(tags []string) []byte {
	var w bytes.Buffer
	w.WriteString("Wheel-Version: 1.0\nGenerator: omniscope-dist\nRoot-Is-Purelib: false\n")
	for _, tag := range tags {
		fmt.Fprintf(&w, "Tag: py3-none-%s\n", tag)
	}
	return w.Bytes()
}

// wheelRecord lists all files with digest and size, and itself without.
func wheelRecord(files map[string]inArchive, itself string) []byte {
	var w bytes.Buffer
	lines := csv.NewWriter(&w) // a buffer takes everything
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum := sha256.Sum256(files[name].text)
		lines.Write([]string{name, "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]), fmt.Sprint(len(files[name].text))})
	}
	lines.Write([]string{itself, "", ""})
	lines.Flush()
	return w.Bytes()
}

// wheelOrder has what describes a wheel at its end, where those who only want to know what it is look first.
func wheelOrder(files map[string]inArchive, info string) []string {
	var first, last []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(name, info) {
			last = append(last, name)
		} else {
			first = append(first, name)
		}
	}
	return append(first, last...)
}
