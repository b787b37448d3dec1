// Package mcp makes tools of a server that speaks the Model Context Protocol: a program that is started here and
// answers on its standard output, or an address. What the server says is taken for the report of an
// observer: bounded text, and no instruction. It is asked for nothing but its tools: it gets no folder, no
// model and no answer of a person.
package mcp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"omniscope"
	"omniscope/internal/brief"
	"omniscope/internal/child"
	"omniscope/internal/endpoint"
	"omniscope/perceive"
	"omniscope/perceive/program"
)

// Bounds of a server.
const (
	connectTimeout = 2 * time.Minute
	mostTools      = 64       // of a server
	mostPages      = 20       // of its list of tools
	longestMessage = 16 << 20 // bytes
	longestText    = 64 << 10 // bytes of an answer
	longestAbout   = 500
)

// Options say which server, and how it is asked.
type Options struct {
	Command []string                    // the program and its arguments, or else
	Address string                      // where the server listens, http or https
	Headers map[string]omniscope.Secret // further ones of requests to it, such as its key
	Names   []string                    // tools that are used; nil = those that the server calls read-only
	Timeout time.Duration               // of an answer; 0 = program.DefaultTimeout
	AtOnce  int                         // calls at most; 0 = 1
}

// A Server is one that is connected. It is safe for concurrent use.
type Server struct {
	options Options
	version string
	turns   chan struct{} // held during a call
	tools   []*Tool
	leftOut []string

	running context.Context
	stop    context.CancelFunc

	mu sync.Mutex
	on *connection // nil = none
}

// Open connects to a server and finds its tools. The caller closes it.
func Open(ctx context.Context, o Options) (*Server, error) {
	if o.Timeout == 0 {
		o.Timeout = program.DefaultTimeout
	}
	if err := endpoint.CheckHeaders(o.Headers); err != nil {
		return nil, err
	}
	o.Headers = maps.Clone(o.Headers) // requests go out until after Close
	s := &Server{options: o, turns: make(chan struct{}, max(o.AtOnce, 1))}
	s.running, s.stop = context.WithCancel(context.Background())
	if err := s.findTools(ctx); err != nil {
		s.Close()
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "tools of " + s.name(), Err: err}
	}
	return s, nil
}

// CheckAddress refuses addresses that are none, and those that may hold a secret: runs are named by what they use.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("an address is http://HOST or https://HOST")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("an address with a name, a password or a query may hold a secret, and is kept in manifests: have the server take it another way")
	}
	return nil
}

// Tools returns the server's tools that can be asked about clips.
func (s *Server) Tools() (list []perceive.Tool) {
	for _, t := range s.tools {
		list = append(list, t)
	}
	return list
}

// LeftOut says which tools of the server cannot be used, and why.
func (s *Server) LeftOut() []string { return s.leftOut }

// Close ends the connection and the program.
func (s *Server) Close() error {
	s.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on.end()
	s.on = nil
	return nil
}

// name is how messages call the server.
func (s *Server) name() string {
	if s.options.Address != "" {
		return s.options.Address
	}
	return strings.Join(s.options.Command[:min(len(s.options.Command), 2)], " ")
}

func (s *Server) findTools(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	on, _, err := s.connected(ctx)
	if err != nil {
		return err
	}
	if info := on.session.InitializeResult(); info != nil && info.ServerInfo != nil {
		s.version = brief.Cut(brief.OneLine(info.ServerInfo.Version), 100)
	}
	var found []*sdk.Tool
	for page, cursor := 0, ""; ; page++ {
		list, err := on.session.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return on.lost(err)
		}
		found = append(found, list.Tools...)
		if len(found) > mostTools || page == mostPages {
			return fmt.Errorf("it has more than %d tools: name those to use, as in mcp[describe]:…", mostTools)
		}
		if cursor = list.NextCursor; cursor == "" {
			break
		}
	}
	return s.take(found)
}

// take makes tools of those that can be asked about clips.
func (s *Server) take(found []*sdk.Tool) error {
	for _, name := range s.options.Names {
		if !slices.ContainsFunc(found, func(t *sdk.Tool) bool { return t != nil && t.Name == name }) {
			return fmt.Errorf("it has no tool %q; it has %s", name, names(found))
		}
	}
	for _, t := range found {
		if t == nil || s.options.Names != nil && !slices.Contains(s.options.Names, t.Name) {
			continue
		}
		named := s.options.Names != nil
		if readOnly := t.Annotations != nil && t.Annotations.ReadOnlyHint; !named && !readOnly {
			s.leftOut = append(s.leftOut, fmt.Sprintf("%s of %s: the server does not call it read-only; name it to use it, as in mcp[%s]:…", brief.Cut(brief.OneLine(t.Name), 60), s.name(), brief.Cut(brief.OneLine(t.Name), 60)))
			continue
		}
		tool, err := s.tool(t)
		switch {
		case err == nil:
			s.tools = append(s.tools, tool)
		case named:
			return fmt.Errorf("its tool %s: %w", t.Name, err)
		default:
			s.leftOut = append(s.leftOut, fmt.Sprintf("%s of %s: %v", brief.Cut(brief.OneLine(t.Name), 60), s.name(), err))
		}
	}
	if len(s.tools) == 0 {
		return errors.New("it has no tool that can be asked about a clip: " + strings.Join(s.leftOut, "; "))
	}
	return nil
}

func names(tools []*sdk.Tool) string {
	var list []string
	for _, t := range tools {
		if t != nil {
			list = append(list, brief.Cut(brief.OneLine(t.Name), 60))
		}
	}
	return strings.Join(list, ", ")
}

// A connection is one run of the program, or one session at an address.
type connection struct {
	session *sdk.ClientSession
	kill    context.CancelFunc
	said    *child.Tail // what the program wrote to standard error
	ended   sync.Once
	gone    chan struct{} // closed when it has ended
}

// end ends it, the program with it, without waiting.
func (c *connection) end() {
	if c == nil {
		return
	}
	c.ended.Do(func() {
		c.kill()
		go func() {
			defer close(c.gone)
			if c.session != nil {
				c.session.Close()
			}
		}()
	})
}

// endWait is how long the end of a program is waited for, to hear its last words.
const endWait = 2 * time.Second

// lost ends it, and adds to the error of its last call what the program said last.
func (c *connection) lost(err error) error {
	c.end()
	select {
	case <-c.gone:
	case <-time.After(endWait):
	}
	if last := c.said.Last(); last != "" {
		return fmt.Errorf("%w; it wrote: %s", err, brief.Cut(last, 300))
	}
	return err
}

// connected returns the connection, made anew if there is none; used says that others used it before.
func (s *Server) connected(ctx context.Context) (c *connection, used bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.on != nil {
		return s.on, true, nil
	}
	if err := s.running.Err(); err != nil {
		return nil, false, err
	}
	life, kill := context.WithCancel(s.running)
	c = &connection{kill: kill, said: &child.Tail{}, gone: make(chan struct{})}
	client := sdk.NewClient(&sdk.Implementation{Name: "omniscope", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	var way sdk.Transport
	if s.options.Address != "" {
		way = &sdk.StreamableClientTransport{Endpoint: s.options.Address, HTTPClient: bounded(s.options.Headers), MaxRetries: -1, DisableStandaloneSSE: true}
	} else {
		cmd := exec.CommandContext(life, s.options.Command[0], s.options.Command[1:]...)
		child.Tie(cmd)
		cmd.WaitDelay, cmd.Stderr = time.Second, c.said
		way = &sdk.CommandTransport{Command: cmd, TerminateDuration: time.Second}
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if c.session, err = client.Connect(ctx, way, nil); err != nil {
		return nil, false, c.lost(fmt.Errorf("no connection: %w", err))
	}
	s.on = c
	return c, false, nil
}

// drop ends a connection, so that the next call makes another one.
func (s *Server) drop(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.end()
	if s.on == c {
		s.on = nil
	}
}
