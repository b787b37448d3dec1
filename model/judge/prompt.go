package judge

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/internal/spelling"
	"omniscope/model"
)

// A Prompt is a template file. Placeholders are {name}; all other text, braces
// included, stays as written.
type Prompt struct {
	Name string // the file's name
	Text string
	From string // where it came from: "built in", or a folder
}

// PromptInfo identifies a prompt in the documents of a run.
type PromptInfo struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
	From   string `json:"from"`
}

// Info returns the name, the digest and the origin of the prompt.
func (p *Prompt) Info() PromptInfo {
	return PromptInfo{Name: p.Name, Digest: p.Digest(), From: p.From}
}

// LoadPrompt reads a prompt by file name from folder, when that is given and
// has it, else from the built-in files.
func LoadPrompt(builtin fs.FS, folder fs.FS, folderName, name string) (*Prompt, error) {
	if folder != nil {
		text, err := readPrompt(folder, name)
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

// readPrompt reads a user's prompt. It accepts only regular files, because a
// pipe could block, and bounds the size.
func readPrompt(folder fs.FS, name string) ([]byte, error) {
	const most = 1 << 20
	info, err := fs.Stat(folder, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", name)
	case info.Size() > most:
		return nil, fmt.Errorf("%s has more than %d bytes, which no prompt has", name, most)
	}
	return fs.ReadFile(folder, name)
}

// Require returns an Invalid error unless the template has each placeholder:
// without them the judge would not see what it is to judge.
func (p *Prompt) Require(names ...string) error {
	for _, name := range names {
		if !strings.Contains(p.Text, "{"+name+"}") {
			return &omniscope.Error{Kind: omniscope.Invalid, Op: "prompt " + p.Name,
				Err: fmt.Errorf("the file (%s) has no {%s}%s: the judge would not see it", p.From, name, p.suggest(name))}
		}
	}
	return nil
}

// suggest returns the placeholder that is probably a misspelt name, "" if none.
func (p *Prompt) suggest(name string) string {
	var there []string
	for _, m := range placeholders.FindAllStringSubmatch(p.Text, 100) {
		there = append(there, m[1])
	}
	near, ok := spelling.Nearest(name, there)
	if !ok {
		return ""
	}
	return fmt.Sprintf(" (it has {%s}: did you mean {%s}?)", near, name)
}

var placeholders = regexp.MustCompile(`\{(\w+)\}`)

// OnlyPrompts returns a Usage error if folder holds a text file that is none of
// the prompts: a misspelt name would change nothing.
func OnlyPrompts(folder fs.FS, folderName string, names ...string) error {
	if folder == nil {
		return nil
	}
	files, err := fs.Glob(folder, "*.txt")
	if err != nil {
		return err
	}
	for _, file := range files {
		if !slices.Contains(names, file) {
			return &omniscope.Error{Kind: omniscope.Usage, Op: "--prompts " + folderName,
				Err: fmt.Errorf("%s replaces no prompt; the prompts are: %s", file, strings.Join(names, ", "))}
		}
	}
	return nil
}

// A PromptFiles is the built-in prompts of a package, in the folder prompts. A user's folder may replace any of them.
type PromptFiles struct {
	Files fs.FS
	Names []string // all of them
}

// Load reads a prompt from the user's folder, where that is given and has it, else the built-in one. It must have the
// placeholders that are named; the folder may hold no other prompts.
func (p PromptFiles) Load(folder fs.FS, folderName, name string, placeholders ...string) (*Prompt, error) {
	if err := OnlyPrompts(folder, folderName, p.Names...); err != nil {
		return nil, err
	}
	builtin, err := fs.Sub(p.Files, "prompts")
	if err != nil {
		return nil, err
	}
	prompt, err := LoadPrompt(builtin, folder, folderName, name)
	if err != nil {
		return nil, err
	}
	return prompt, prompt.Require(placeholders...)
}

// Messages are the filled prompt as the one message of a user, without its last line ends.
func (p *Prompt) Messages(pairs ...string) []model.Message {
	return []model.Message{model.Text(model.User, strings.TrimRight(p.Fill(pairs...), "\n"))}
}

// Fill replaces the placeholders by values, given as pairs of name and value. It
// scans the template once, so it does not replace braces inside a value.
func (p *Prompt) Fill(pairs ...string) string {
	size := len(p.Text)
	for i := 1; i < len(pairs); i += 2 {
		size += len(pairs[i])
	}
	var out strings.Builder
	out.Grow(size)
	rest := p.Text
	for {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			out.WriteString(rest)
			return out.String()
		}
		out.WriteString(rest[:at])
		rest = rest[at:]
		value, taken := placeholder(rest, pairs)
		out.WriteString(value)
		rest = rest[taken:]
	}
}

// placeholder returns the value for the placeholder that text starts with and
// the placeholder's length, or the brace itself when it is none.
func placeholder(text string, pairs []string) (value string, taken int) {
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i]
		if len(text) > len(name)+1 && text[1:1+len(name)] == name && text[1+len(name)] == '}' {
			return pairs[i+1], len(name) + 2
		}
	}
	return text[:1], 1
}

// Digest returns the first 12 hex digits of the SHA-256 of the template.
func (p *Prompt) Digest() string {
	return sha256hex.Of(p.Text)[:12]
}
