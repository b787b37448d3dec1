package visible

import (
	"io"
	"os"

	"golang.org/x/term"
)

// usualWidth is how wide a terminal is that does not report its width.
const usualWidth = 80

// Terminal returns how many columns to write for, and whether w is a terminal on
// which colour is welcome. The width is 0 if w is not a terminal: nothing has to fit.
func Terminal(w io.Writer) (width int, color bool) {
	if !isTerminal(w) {
		return 0, false
	}
	_, noColor := os.LookupEnv("NO_COLOR")
	if width := widthOf(w); width > 0 {
		return width, !noColor
	}
	return usualWidth, !noColor
}

// HasWidth reports whether w is a terminal with columns. Those of some build
// servers say that they have none: a bar has no place there.
func HasWidth(w io.Writer) bool { return isTerminal(w) && widthOf(w) > 0 }

func isTerminal(w io.Writer) bool {
	f, ok := Unwrapped(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf is how many columns a terminal has, 0 where it does not say.
func widthOf(terminal io.Writer) int {
	width, _, err := term.GetSize(int(Unwrapped(terminal).(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return width
}
