// Command exported lists the exported names that no other package of the module uses:
//
//	go run ./internal/tools/exported
//
// Each line has the package, the name, its place, and whether the package's own external
// test uses it. An Example is a use. Programs, generated files and the packages below
// internal/testing and internal/tools need no exported names and are not listed.
//
// With -shown there is a fifth column: whether the declaration of a name in use shows this
// one, as the type of a result or of a field. Users then have its values without writing
// its name, and documentation without the type would be poor.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", ".", "folder of the module")
	withShown := flag.Bool("shown", false, "also tell whether a declaration of a name in use shows the name")
	flag.Parse()
	m, err := load(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "list exported names:", err)
		os.Exit(1)
	}
	out := bufio.NewWriter(os.Stdout)
	for _, n := range m.unused() {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s", n.pkg, n.ident, n.place, yesNo(n.ownTest))
		if *withShown {
			fmt.Fprintf(out, "\t%s", yesNo(n.shown))
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "list exported names:", err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "%d exported names, %d of them used by tests and development code only\n", len(m.names), m.onlyTests())
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
