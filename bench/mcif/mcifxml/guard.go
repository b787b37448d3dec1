package mcifxml

import (
	"context"

	"omniscope/internal/input"
)

// What a file may nest. The published ones have five levels and no entities of
// their own.
const (
	deepElements = 10_000
	deepEntities = 1_000
	manyAttrs    = 10_000 // of one tag
)

// A guard bounds what is made of a file, and ends the reading of it when its
// context ends. Its error, once there is one, is no fault of the XML: no mending
// helps.
type guard struct {
	ctx    context.Context
	path   string
	limits input.Limits
	marks  int // elements, attributes and declared entities
	steps  int
	err    error
}

func newGuard(ctx context.Context, path string) *guard {
	return &guard{ctx: ctx, path: path, limits: input.LimitsOf(ctx, input.XML)}
}

// halted is the fault of a document that the guard ended.
func halted() *fault { return &fault{what: "halted", at: notAPlace} }

// step looks at the context once in a while.
func (g *guard) step() *fault {
	const often = 4096
	if g.steps++; g.err == nil && g.steps%often == 0 {
		g.err = g.ctx.Err()
	}
	if g.err != nil {
		return halted()
	}
	return nil
}

// count counts marks, of an element so deep.
func (g *guard) count(marks, depth int) *fault {
	g.marks += marks
	switch {
	case g.err != nil:
	case g.marks > g.limits.Rows:
		g.err = g.limits.TooManyRows(g.path, "elements, attributes and entities")
	case depth > deepElements:
		g.err = input.TooDeep(g.path, "elements", deepElements)
	}
	if g.err != nil {
		return halted()
	}
	return nil
}

// text bounds the text of an element.
func (g *guard) text(size, at int, s string) *fault {
	if g.err == nil && size > int(g.limits.Row) {
		line, _ := position(s, at)
		g.err = g.limits.TooLongRow(g.path, line)
	}
	if g.err != nil {
		return halted()
	}
	return nil
}

// expand bounds what entities become, and how deep they stand in each other.
func (g *guard) expand(size, depth int) *fault {
	switch {
	case g.err != nil:
	case size > int(g.limits.Size):
		g.err = g.limits.TooLarge(g.path + " with its entities")
	case depth > deepEntities:
		g.err = input.TooDeep(g.path, "entities", deepEntities)
	}
	if g.err != nil {
		return halted()
	}
	return nil
}
