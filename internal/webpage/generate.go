package webpage

//go:generate go run github.com/a-h/templ/cmd/templ@v0.3.977 generate -path ../..
