package recipe

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"omniscope"
	"omniscope/internal/yamlfile"
)

// readYAML reads settings in YAML as a list of paths such as train.optimizer.lr.
func readYAML(file string, text []byte) ([]found, error) {
	const most = 1 << 20
	root, err := yamlfile.Parse(text, most)
	if err != nil {
		return nil, omniscope.Invalidf("%s: %w", file, err)
	}
	return flatten(file, "", root)
}

func flatten(file, path string, node ast.Node) (list []found, err error) {
	var pairs []*ast.MappingValueNode
	switch n := node.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		return nil, omniscope.Invalidf("%s:%d: %q cannot be read: write the value out", file, node.GetToken().Position.Line, node.String())
	default:
		if path == "" {
			return nil, omniscope.Invalidf("%s:%d: %.60q cannot be read: settings are NAME: VALUE", file, node.GetToken().Position.Line, node.String())
		}
		return []found{{path, scalar(node), node.GetToken().Position.Line}}, nil
	}
	for _, p := range pairs {
		key := fmt.Sprint(scalar(p.Key))
		if path != "" {
			key = path + "." + key
		}
		if p.Value == nil {
			list = append(list, found{key, "null", p.Key.GetToken().Position.Line})
			continue
		}
		below, err := flatten(file, key, p.Value)
		if err != nil {
			return nil, err
		}
		for i := range below {
			if below[i].name == key { // a value is told of where its name stands
				below[i].line = p.Key.GetToken().Position.Line
			}
		}
		list = append(list, below...)
	}
	return list, nil
}

// scalar is a value as text, without quotes.
func scalar(node ast.Node) string {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.NullNode:
		return "null"
	}
	return node.GetToken().Value
}
