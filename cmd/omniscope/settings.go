package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/spelling"
)

// seldomSet are switches that few ever turn. No help lists them as flags: they are set by --set NAME=VALUE, by a variable such as
// OMNISCOPE_ENDPOINT_WAIT, or under settings: in omniscope.yaml.
var seldomSet = []string{
	// calls of models
	"ask-damaged", "endpoint-wait", "max-retries", "max-rpm", "otel", "stop-after-unusable", "timeout", "tool-header", "tool-processes", "tool-timeout",
	// what is read and shown
	"allow-unscorable", "blind-share", "cache-size", "keep-truncated", "max-blind", "max-input-rows", "max-input-size", "max-row-size", "media-as", "serve-media",
	"keep-fetched", "max-file-size", "max-differences",
	// networks of BERTScore and COMET
	"cache-dir", "models-dir", "no-cache", "threads",
	// measures, which are also written score MEASURE,NAME=VALUE
	"beta", "char-order", "empty-ref", "eps-smoothing", "lowercase", "max-order", "no-rescale", "normalizer", "smooth", "smooth-value", "tokenize", "whitespace", "width", "word-order",
	// MCIF and building it
	"breakdown-qa-types", "compat", "filter-modality", "lenient-xml", "pseudo-references", "sample-map", "scored", "write-output",
	"as-published", "example-languages", "include-text", "include-video", "max", "min", "not-strict", "pdac", "probs", "threshold", "threshold-short-audio", "use-chars",
	// building and publishing
	"example-settings", "funnel", "media-field", "no-card", "no-cut", "ocr-languages", "provenance", "replace-card", "leave-out",
	// training
	"max-tokens", "reviews", "tokenizer",
	// generating videos
	"cut-prompts", "generator-json", "job-timeout", "max-prompt", "max-video-size", "poll",
	// servers
	"behind-proxy", "prepared", "tls-cert", "tls-key",
}

// isSetting reports whether a flag is a setting.
func isSetting(name string) bool { return slices.Contains(seldomSet, name) }

// hideSettings takes settings out of the flags that help lists.
func hideSettings(cmd *cobra.Command) {
	hide := func(f *pflag.Flag) { f.Hidden = f.Hidden || isSetting(f.Name) }
	cmd.Flags().VisitAll(hide)
	cmd.PersistentFlags().VisitAll(hide)
	for _, sub := range cmd.Commands() {
		hideSettings(sub)
	}
}

// settingsOf are the settings of a command, in order.
func settingsOf(cmd *cobra.Command) (all []*pflag.Flag) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if isSetting(f.Name) {
			all = append(all, f)
		}
	})
	return all
}

// applySettings sets what --set gave.
func applySettings(cmd *cobra.Command) error {
	if cmd.Flags().Lookup("set") != cmd.Root().PersistentFlags().Lookup("set") {
		return nil // train recipe sets the trainer's
	}
	given, err := cmd.Flags().GetStringArray("set")
	if err != nil {
		return err
	}
	for _, text := range given {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			value = "true"
		}
		if f := cmd.Flags().Lookup(name); f == nil || !isSetting(name) {
			var names []string
			for _, s := range settingsOf(cmd) {
				names = append(names, s.Name)
			}
			return omniscope.Usagef("--set %s: %s has no such setting%s; --help-all lists them", text, cmd.CommandPath(), spelling.Hint(name, names))
		}
		if err := cmd.Flags().Set(name, value); err != nil {
			return omniscope.Usagef("--set %s: %s", text, valueError(err))
		}
	}
	return nil
}

// writeSettings prints the settings of a command.
func writeSettings(w io.Writer, cmd *cobra.Command) {
	all := settingsOf(cmd)
	if len(all) == 0 {
		return
	}
	fmt.Fprint(w, "\nSettings (--set NAME=VALUE, a variable such as OMNISCOPE_"+strings.ToUpper(strings.ReplaceAll(all[0].Name, "-", "_"))+", or omniscope.yaml):\n")
	for _, f := range all {
		writeRow(w, f.Name, withDefault(strings.ReplaceAll(f.Usage, "\n", " "), f.DefValue))
	}
}

// splitMeasure turns score MEASURE,NAME=VALUE into a measure with settings.
func splitMeasure(args []string) []string {
	if len(args) < 2 || args[0] != "score" || strings.HasPrefix(args[1], "-") || !strings.Contains(args[1], ",") {
		return args
	}
	parts := strings.Split(args[1], ",")
	out := []string{args[0], parts[0]}
	for _, setting := range parts[1:] {
		out = append(out, "--set", setting)
	}
	return append(out, args[2:]...)
}
