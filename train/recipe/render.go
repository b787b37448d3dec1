package recipe

import (
	"bytes"
	"fmt"
	"strings"

	"omniscope/internal/jsonfast"
)

// head is the comment with which each file begins. It holds nothing that a user gave.
func (r *recipe) head(start string) string {
	gpus := fmt.Sprintf("%d GPUs", r.GPUs)
	if r.Machines > 1 {
		gpus = fmt.Sprintf("%d machines of %d GPUs each", r.Machines, r.GPUs)
	}
	return fmt.Sprintf("# Stage %d of arXiv 2510.12720 (section 4.1, A.1) with %s (names read in %s), for %s.\n"+
		"# paper: stated there. ours: not stated there. yours: given by the user. `omniscope train check --recipe` checks edits.\n%s\n", int(r.Stage), r.Trainer, r.Versions, gpus, start)
}

// script is the shell script for ms-swift, and its environment.
func (r *recipe) script(list []entry) []byte {
	var b bytes.Buffer
	b.WriteString("#!/usr/bin/env bash\n" + r.head("# Paths count from the folder where this is started."))
	b.WriteString("set -euo pipefail\n\n")
	gpus := entry{"NPROC_PER_NODE", fmt.Sprint(r.GPUs), whole, Yours, "GPUs of this machine"}
	if r.GPUs == 8 && r.Machines == 1 {
		gpus.source = Paper
	}
	environment := []entry{gpus}
	if r.Machines > 1 {
		environment = append(environment, entry{"NNODES", fmt.Sprint(r.Machines), whole, Yours, "machines"})
	}
	var args []entry
	for _, e := range list {
		if strings.HasPrefix(e.name, "--") {
			args = append(args, e)
		} else {
			environment = append(environment, e)
		}
	}
	for _, e := range environment {
		fmt.Fprintf(&b, "export %s=%s  # %s: %s\n", e.name, shellWord(e.value), e.source, e.means)
	}
	if r.Machines > 1 {
		b.WriteString(`: "${NODE_RANK:?set it to the number of this machine, from 0}" "${MASTER_ADDR:?set it to the address of machine 0}"` + "\nexport NODE_RANK MASTER_ADDR\n")
	}
	b.WriteString("\nargs=(\n")
	for _, e := range args {
		fmt.Fprintf(&b, "  %s %s  # %s: %s\n", e.name, shellWord(e.value), e.source, e.means)
	}
	b.WriteString(")\n\nexec swift sft \"${args[@]}\"\n")
	return b.Bytes()
}

// shellWord is a text that a POSIX shell takes as it stands.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// A branch is a key of YAML with what is below it.
type branch struct {
	key   string
	leaf  *entry
	below []*branch
}

// yaml is the settings as nested YAML, in the order in which keys first appear.
func (r *recipe) yaml(list []entry) []byte {
	start := "# Paths count from the folder where the trainer is started."
	if r.Trainer == LLaMAFactory {
		start += "\n# FORCE_TORCHRUN=1 llamafactory-cli train train.yaml"
		if r.Machines > 1 {
			start += fmt.Sprintf(", with NNODES=%d, NODE_RANK and MASTER_ADDR on each machine", r.Machines)
		}
	}
	root := &branch{}
	for i := range list {
		at := root
		for key := range strings.SplitSeq(list[i].name, ".") {
			at = at.child(key)
		}
		at.leaf = &list[i]
	}
	b := bytes.NewBufferString(r.head(start))
	root.write(b, "")
	return b.Bytes()
}

func (n *branch) child(key string) *branch {
	for _, c := range n.below {
		if c.key == key {
			return c
		}
	}
	c := &branch{key: key}
	n.below = append(n.below, c)
	return c
}

func (n *branch) write(b *bytes.Buffer, indent string) {
	for _, c := range n.below {
		if c.leaf != nil {
			fmt.Fprintf(b, "%s%s: %s  # %s: %s\n", indent, c.key, yamlValue(c.leaf), c.leaf.source, c.leaf.means)
			continue
		}
		fmt.Fprintf(b, "%s%s:\n", indent, c.key)
		c.write(b, indent+"  ")
	}
}

// yamlValue is a value that every reader of YAML takes for what it is: text in the quotes of JSON, which YAML has, too.
func yamlValue(e *entry) string {
	if e.kind != wordKind {
		return e.value
	}
	return string(jsonfast.Append(nil, e.value))
}
