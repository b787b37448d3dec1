// Package webpage holds what all HTML pages share. Each page is one file that loads
// no script and no style from elsewhere.
//
// Pages are templates of github.com/a-h/templ. `go generate ./internal/webpage` makes Go
// code of them. The result is committed, so that a build needs no generator.
package webpage

//go:generate go run github.com/a-h/templ/cmd/templ@v0.3.977 generate -path ../..
