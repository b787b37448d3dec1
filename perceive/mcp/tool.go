package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"omniscope"
	"omniscope/internal/brief"
	"omniscope/media"
	"omniscope/perceive"
	"omniscope/perceive/program"
)

// A Tool is one of a server's.
type Tool struct {
	server *Server
	called string // its name at the server
	info   perceive.Info
	fields []string // arguments that it takes, of those that can be given
}

var _ perceive.Tool = (*Tool)(nil)

// What is given as an argument, by its name.
const (
	aPath     = "path"
	anAddress = "address"
	aQuestion = "question"
	aStart    = "start"
	anEnd     = "end"
	aRegion   = "region"
)

// arguments are the names of arguments that can be given. Others are left out, and a tool that needs one cannot be used.
var arguments = map[string]string{
	"path": aPath, "file": aPath, "file_path": aPath, "filepath": aPath, "filename": aPath, "media": aPath, "media_path": aPath,
	"video": aPath, "video_path": aPath, "audio": aPath, "audio_path": aPath,
	"url": anAddress, "uri": anAddress,
	"question": aQuestion, "query": aQuestion, "prompt": aQuestion, "instruction": aQuestion, "message": aQuestion,
	"start_s": aStart, "from_s": aStart, "end_s": anEnd, "to_s": anEnd, "region": aRegion,
}

// jsonTypes are the types that arguments have.
var jsonTypes = map[string]string{aPath: "string", anAddress: "string", aQuestion: "string", aStart: "number", anEnd: "number", aRegion: "array"}

// A schema is what is read of a tool's input schema.
type schema struct {
	Properties map[string]struct {
		Type any `json:"type"`
	} `json:"properties"`
	Required []string `json:"required"`
}

// tool makes a tool, or says why it cannot be asked about a clip.
func (s *Server) tool(t *sdk.Tool) (*Tool, error) {
	text, err := json.Marshal(t.InputSchema)
	if err != nil {
		return nil, err
	}
	var in schema
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("its input schema cannot be read: %w", err)
	}
	tool := &Tool{server: s, called: t.Name}
	given := make(map[string]bool)
	for name, p := range in.Properties {
		if what := arguments[name]; what != "" && allows(p.Type, jsonTypes[what]) {
			tool.fields = append(tool.fields, name)
			given[what] = true
		}
	}
	slices.Sort(tool.fields)
	for _, name := range in.Required {
		if !slices.Contains(tool.fields, name) {
			return nil, fmt.Errorf("it needs %q, which is none of what it can be given: a path or address of the clip, a question, start_s, end_s, region", brief.Cut(brief.OneLine(name), 60))
		}
	}
	sees := given[aPath] || given[anAddress]
	if !sees && !given[aQuestion] {
		return nil, errors.New("it takes neither a clip nor a question")
	}
	digest := sha256.Sum256(slices.Concat([]byte(strings.Join(s.options.Command, "\x00")+s.options.Address+"\x00"+t.Name+"\x00"+t.Description+"\x00"), text))
	tool.info = perceive.Info{Name: plain(t.Name), Version: strings.TrimSpace(fmt.Sprintf("%s %.6x", s.version, digest)), About: about(t), Asks: given[aQuestion], Needs: s.name()}
	if sees { // of which sense, its schema does not say
		tool.info.Modality = omniscope.AudioVisual
	}
	if given[aQuestion] {
		tool.info.Model = tool.info.Name
	}
	return tool, nil
}

// allows reports whether a JSON schema's type is or may be the one given.
func allows(types any, want string) bool {
	switch v := types.(type) {
	case nil:
		return true
	case string:
		return v == want
	case []any:
		return slices.Contains(v, any(want))
	}
	return false
}

var unplain = regexp.MustCompile(`[^a-z0-9_-]+`)

// plain is a tool's name in small letters, digits, - and _, 32 at most.
func plain(name string) string {
	p := strings.Trim(unplain.ReplaceAllString(strings.ToLower(name), "_"), "_-")
	if p == "" || p[0] < 'a' || p[0] > 'z' {
		p = "t_" + p
	}
	return p[:min(len(p), 32)]
}

func about(t *sdk.Tool) string {
	text := brief.OneLine(t.Description)
	if text == "" {
		text = brief.OneLine(t.Title)
	}
	if text == "" {
		text = "A tool of which its server says nothing."
	}
	return brief.Cut(text, longestAbout)
}

// Info implements perceive.Tool.
func (t *Tool) Info() perceive.Info { return t.info }

// Check implements perceive.Tool. The server was asked for its tools already.
func (t *Tool) Check(context.Context) error { return nil }

// Observe implements perceive.Tool. A server that has ended since it was last asked is started or connected to again, once;
// one that does not answer in time is ended.
func (t *Tool) Observe(ctx context.Context, c *perceive.Clip, question string) (*perceive.Answer, error) {
	arguments, err := t.arguments(c, question)
	if err != nil {
		return nil, err
	}
	select {
	case t.server.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-t.server.turns }()
	for {
		on, used, err := t.server.connected(ctx)
		if err != nil {
			return nil, broken(ctx, err)
		}
		answer, lost, err := t.ask(ctx, on, arguments)
		if lost {
			t.server.drop(on)
		}
		if !lost || !used || ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			return answer, broken(ctx, err)
		}
	}
}

// ask calls the tool. lost says that the connection is of no use any more.
func (t *Tool) ask(ctx context.Context, on *connection, arguments map[string]any) (answer *perceive.Answer, lost bool, err error) {
	limited, cancel := context.WithTimeout(ctx, t.server.options.Timeout)
	defer cancel()
	said, err := on.session.CallTool(limited, &sdk.CallToolParams{Name: t.called, Arguments: arguments})
	var refused *jsonrpc.Error
	switch {
	case limited.Err() != nil && ctx.Err() == nil:
		return nil, true, on.lost(fmt.Errorf("it did not answer within %v: %w", t.server.options.Timeout, context.DeadlineExceeded))
	case errors.As(err, &refused):
		return nil, false, errors.New("it says: " + brief.Cut(brief.OneLine(refused.Message), 500))
	case err != nil:
		return nil, true, on.lost(errors.New(brief.Cut(brief.OneLine(err.Error()), 500)))
	}
	answer, err = read(said)
	return answer, false, err
}

// broken is the error of a tool that fails for this question.
func broken(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || omniscope.KindOf(err) == omniscope.Malformed {
		return err
	}
	return &omniscope.Error{Kind: omniscope.Exhausted, Err: errors.New(err.Error())}
}

// arguments are what the tool is given.
func (t *Tool) arguments(c *perceive.Clip, question string) (map[string]any, error) {
	path, start, end := program.Place(c)
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	values := map[string]any{aPath: path, anAddress: (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(), aQuestion: question}
	if c.Span.Start > 0 || c.Span.End > 0 {
		values[aStart], values[anEnd] = start, end
	}
	if c.Focus.Region != (media.Region{}) {
		values[aRegion] = c.Focus.Region
	}
	given := make(map[string]any)
	for _, name := range t.fields {
		if v, ok := values[arguments[name]]; ok {
			given[name] = v
		}
	}
	return given, nil
}

// read makes an answer of a result: observations in the form of package program where the server gives such, else
// its text.
func read(said *sdk.CallToolResult) (*perceive.Answer, error) {
	var texts []string
	others := 0
	for _, c := range said.Content {
		switch c := c.(type) {
		case *sdk.TextContent:
			texts = append(texts, c.Text)
		case *sdk.EmbeddedResource:
			if c.Resource == nil || c.Resource.Text == "" {
				others++
				continue
			}
			texts = append(texts, c.Resource.Text)
		default:
			others++
		}
	}
	text := strings.TrimSpace(strings.Join(texts, "\n"))
	if said.IsError {
		return nil, errors.New("it says: " + brief.Cut(brief.OneLine(text), 500))
	}
	a := &perceive.Answer{Text: brief.Cut(text, longestText)}
	if fields, ok := said.StructuredContent.(map[string]any); ok && fields["observations"] != nil {
		structured, err := json.Marshal(fields)
		if err != nil {
			return nil, err
		}
		if a, err = program.ReadAnswer(structured); err != nil {
			return nil, err
		}
		if a.Text == "" {
			a.Text = brief.Cut(text, longestText)
		}
	}
	if others > 0 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("of its answer, %d parts are no text, and are left out", others))
	}
	return a, nil
}
