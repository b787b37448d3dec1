package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/internal/testing/fixture"
)

// usagefs matches messages about wrong usage with the flags that they name.
var (
	usagefs = regexp.MustCompile(`Usagef\("[^"]*"`)
	named   = regexp.MustCompile(`(?:^|[^\w-])--([a-z][a-z-]+)`)
)

// TestMessagesNameFlagsThatExist reads the messages about wrong usage in the source of all packages.
func TestMessagesNameFlagsThatExist(t *testing.T) {
	known := map[string]bool{"help": true, "prompt-file": true, "seconds": true} // the last two are of a program in an example
	var collect func(cmd *cobra.Command)
	collect = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		for _, sub := range cmd.Commands() {
			collect(sub)
		}
	}
	collect(newRoot(io.Discard, io.Discard))
	read := 0
	fixture.OK(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, message := range usagefs.FindAllString(string(text), -1) {
			for _, m := range named.FindAllStringSubmatch(message, -1) {
				if read++; !known[m[1]] {
					t.Errorf("%s: no command has a flag --%s: %s", path, m[1], message)
				}
			}
		}
		return nil
	}))
	if read < 100 {
		t.Errorf("%d flags in messages", read)
	}
}
