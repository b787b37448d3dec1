package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"omniscope/internal/otlp"
	"omniscope/internal/version"
)

// spansKey is the key of the context's spanHolder.
type spansKey struct{}

// A spanHolder keeps the sender of a command's spans, nil where there are none.
type spanHolder struct{ sender *otlp.Sender }

// withSpans lets a command send spans.
func withSpans(ctx context.Context) (context.Context, *spanHolder) {
	h := &spanHolder{}
	return context.WithValue(ctx, spansKey{}, h), h
}

// startSpans begins the span of a command that has --otel.
func startSpans(cmd *cobra.Command) error {
	flag := cmd.Flags().Lookup("otel")
	h, ok := cmd.Context().Value(spansKey{}).(*spanHolder)
	if flag == nil || flag.Value.String() == "" || !ok {
		return nil
	}
	ctx, sender, err := otlp.Start(cmd.Context(), flag.Value.String(), version.Program(), cmd.CommandPath())
	if err != nil {
		return err
	}
	h.sender = sender
	cmd.SetContext(ctx)
	return nil
}

// end sends what is left, and warns of what could not be sent.
func (h *spanHolder) end(ctx context.Context, root *cobra.Command) {
	if h.sender == nil {
		return
	}
	if err := h.sender.Close(ctx); err != nil {
		fmt.Fprintln(root.ErrOrStderr(), "warning: --otel:", err)
	}
}
