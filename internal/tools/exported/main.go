// Command exported lists the exported names that no other package of the module uses:
//
//	go run ./internal/tools/exported
//
// Each line has the package, the name, its place, and whether the package's own external
// test uses it. An Example is a use. Programs, generated files and the packages below
// internal/testing and internal/tools need no exported names and are not listed.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", ".", "folder of the module")
	flag.Parse()
	m, err := load(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "list exported names:", err)
		os.Exit(1)
	}
	out := bufio.NewWriter(os.Stdout)
	for _, n := range m.unused() {
		own := "no"
		if n.ownTest {
			own = "yes"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", n.pkg, n.ident, n.place, own)
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "list exported names:", err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "%d exported names, %d of them used by tests and development code only\n", len(m.names), m.onlyTests())
}
