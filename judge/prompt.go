package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"omniscope"
)

// A Prompt is a template file. Placeholders are {name}; all else, braces
// included, stands as written.
type Prompt struct {
	Name string // the file's name
	Text string
	From string // where it came from: "built in", or a folder
}

// LoadPrompt reads a prompt by file name from folder, when that is given and
// has it, else from the built-in files.
func LoadPrompt(builtin fs.FS, folder fs.FS, folderName, name string) (*Prompt, error) {
	if folder != nil {
		text, err := fs.ReadFile(folder, name)
		if err == nil {
			return &Prompt{Name: name, Text: string(text), From: folderName}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "read prompt", Err: err}
		}
	}
	text, err := fs.ReadFile(builtin, name)
	if err != nil {
		return nil, fmt.Errorf("built-in prompt %s: %w", name, err)
	}
	return &Prompt{Name: name, Text: string(text), From: "built in"}, nil
}

// Fill puts values in place of the placeholders, each given as name, value. It
// goes over the template once, so that a value's own braces are left alone.
func (p *Prompt) Fill(pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "{" + pairs[i] + "}"
	}
	return strings.NewReplacer(pairs...).Replace(p.Text)
}

// Digest returns the first 12 hex digits of the SHA-256 of the template.
func (p *Prompt) Digest() string {
	sum := sha256.Sum256([]byte(p.Text))
	return hex.EncodeToString(sum[:6])
}
