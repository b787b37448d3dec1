package textnorm

import "bytes"

// removeBrackets takes out what stands in angle or square brackets, then what
// stands in parentheses.
func (t *text) removeBrackets() {
	if bytes.ContainsAny(t.now, "<[") {
		t.through(removeAngled)
	}
	if bytes.IndexByte(t.now, '(') >= 0 {
		t.through(removeParenthesised)
	}
}

// removeAngled removes "<" or "[" up to the next ">" or "]". The two need not
// match, and openers in between are part of what goes.
func removeAngled(dst, src []byte) []byte {
	for {
		open := bytes.IndexAny(src, "<[")
		if open < 0 {
			break
		}
		size := bytes.IndexAny(src[open:], ">]")
		if size < 0 {
			break // nothing closes this one, nor any later one
		}
		dst = append(dst, src[:open]...)
		src = src[open+size+1:]
	}
	return append(dst, src...)
}

// removeParenthesised removes "(" up to the next ")", unless there is nothing in
// between.
func removeParenthesised(dst, src []byte) []byte {
	for {
		open := bytes.IndexByte(src, '(')
		if open < 0 {
			break
		}
		size := bytes.IndexByte(src[open:], ')')
		if size < 0 {
			break
		}
		if size == 1 {
			dst = append(dst, src[:open+2]...)
			src = src[open+2:]
			continue
		}
		dst = append(dst, src[:open]...)
		src = src[open+size+1:]
	}
	return append(dst, src...)
}
