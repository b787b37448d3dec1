package main

import (
	"errors"
	"fmt"
	"net/netip"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/version"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/web"
	"omniscope/web/mcp"
)

// mcpOptions are the flags of mcp.
type mcpOptions struct {
	own ownTools
	clipFlags
	spec   caption.Spec
	media  []string
	listen string
}

func newMCP() *cobra.Command {
	o := &mcpOptions{spec: caption.Spec{Modality: "av"}}
	cmd := &cobra.Command{
		Use:   "mcp --media FOLDER",
		Short: "Serve tools, captions and audits to agents (MCP)",
		Long: `Offer to any agent that speaks the Model Context Protocol what omniscope can tell of clips: its tools (scene, ocr,
sound, asr, and observers and tools of your own), frames, stretches of sound, investigations and audits. It
speaks on standard input and output, as agents start it, or with --listen at an address of this machine.

Files below the folders that --media names are opened, and nothing else. Answers are remembered in the journal of --work-dir,
so that no model is paid twice for the same question.`,
		Example: `  omniscope mcp --media clips
  omniscope mcp --media /data/clips --detective openai/gpt-4.1 --observer openai/gpt-4o --max-cost 5
  omniscope mcp --media clips --listen 127.0.0.1:7462`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.media, "media", nil, "folder with the media; repeatable. Nothing outside of these folders is opened")
	f.StringVar(&o.listen, "listen", "", "HOST:PORT of this machine to listen at, such as 127.0.0.1:7462 (default: standard input and output)")
	f.IntVar(&o.spec.Inquiries, "inquiries", detective.DefaultBudget, "inquiries of an investigation at most")
	o.add(f, session.Detective)
	o.own.add(f, &o.calls)
	return cmd
}

func (o *mcpOptions) run(cmd *cobra.Command) (err error) {
	s := &o.spec
	if len(o.media) == 0 {
		return omniscope.Usagef("name the folders with the media with --media: nothing else is opened")
	}
	if err := o.own.check(&o.calls); err != nil {
		return err
	}
	if err := o.clipFlags.check(); err != nil {
		return err
	}
	s.Programs = o.own.list
	o.setWho(s)
	clips := o.machine(cmd, true)
	desk, err := caption.OpenDesk(cmd.Context(), s, &clips)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, desk.Close()) }()
	server, err := mcp.New(mcp.Options{Version: version.Program(), Folders: o.media, Tools: desk.Tools, Planner: desk.Planner, Splitter: desk.Asker, Prompts: desk.Prompts,
		Budget: s.Inquiries, Once: desk.Once})
	if err != nil {
		return err
	}
	if o.listen == "" {
		return server.Run(cmd.Context(), &sdk.StdioTransport{})
	}
	return o.serve(cmd, server)
}

// serve listens, at an address that this machine alone can reach: there is no sign-in.
func (o *mcpOptions) serve(cmd *cobra.Command, server *sdk.Server) error {
	if at, err := netip.ParseAddrPort(o.listen); err != nil || !at.Addr().IsLoopback() {
		return omniscope.Usagef("--listen wants an address that this machine alone can reach, such as 127.0.0.1:7462, not %q: agents do not sign in", o.listen)
	}
	s, err := web.Listen(o.listen, true)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "agents find it at %s; Ctrl-C ends it\n", s.URL)
	return s.Serve(cmd.Context(), mcp.Handler(server), "")
}
