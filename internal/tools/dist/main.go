// Program dist makes the files of a release: for each platform an archive with the program, manual pages, completion scripts and the
// licences of all that is in it, and a Python wheel with the program and a module that runs it; a list of all modules (SBOM,
// CycloneDX), and checksums. The same commit makes the same bytes, in whatever folder it lies.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

// A platform is an operating system and a processor, as Go names them.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

// platforms are those that there are archives for.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}}

func main() {
	version := flag.String("version", "", "version, such as v1.2.0")
	out := flag.String("out", "dist", "folder for the files; it is made, and must be empty")
	only := flag.String("only", "", "platforms to build for, such as linux/amd64,windows/amd64 (default: all)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := release(ctx, ".", *version, *out, *only, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// release makes the files of the module in a folder.
func release(ctx context.Context, module, version, out, only string, say io.Writer) error {
	if version == "" || strings.ContainsAny(version, "/\\ ") {
		return fmt.Errorf("-version %q: give a version such as v1.2.0", version)
	}
	if _, err := pep440(version); err != nil {
		return err
	}
	wanted, err := choose(only)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) > 0 {
		return fmt.Errorf("%s is not empty: remove it, or name another folder with -out", out)
	}
	work, err := os.MkdirTemp("", "omniscope-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &builder{module: module, version: version, work: work}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	for _, p := range wanted {
		fmt.Fprintf(say, "%s\n", p)
		if err := b.archive(ctx, p, out); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if err := b.wheel(ctx, p, out); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	if err := b.writeSBOM(filepath.Join(out, "omniscope-"+version+".cdx.json")); err != nil {
		return err
	}
	return checksums(out)
}

func choose(only string) ([]platform, error) {
	if only == "" {
		return platforms, nil
	}
	var wanted []platform
	for name := range strings.SplitSeq(only, ",") {
		at := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == name })
		if at < 0 {
			return nil, fmt.Errorf("-only %s: there are %v", name, platforms)
		}
		wanted = append(wanted, platforms[at])
	}
	return wanted, nil
}

// checksums writes the SHA-256 of all files of a folder, in the form of sha256sum.
func checksums(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(text), e.Name())
	}
	return os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(lines.String()), 0o644)
}
