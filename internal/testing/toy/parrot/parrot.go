// Package parrot is a provider for tests: its models repeat the last word of what
// they are asked.
package parrot

import (
	"context"
	"strings"

	"omniscope/model"
	"omniscope/model/exchange"
	"omniscope/session/catalog"
)

// Provider is the entry for the catalog.
var Provider = catalog.Provider{Name: "parrot", About: "repeats the last word", Names: "NAME", Open: open}

func open(_ context.Context, a exchange.Options) (model.Model, string, error) {
	return repeater{a.Name}, "parrot " + a.Name, nil
}

type repeater struct{ name string }

func (p repeater) Generate(_ context.Context, req *model.Request) (*model.Response, error) {
	words := []string{""}
	for _, m := range req.Messages {
		for _, part := range m.Parts {
			words = append(words, strings.Fields(part.Text)...)
		}
	}
	return &model.Response{Text: words[len(words)-1], Model: p.name, Finish: model.Stop}, nil
}
