package rows_test

import (
	"fmt"
	"strings"
	"testing"

	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/internal/testing/fixture"
)

const benchRows = 50_000

func benchText() string {
	var b strings.Builder
	for i := range benchRows {
		fmt.Fprintf(&b, `{"id": "clip-%06d", "caption": "A man in a red coat walks past %d shops while a dog barks twice and rain falls.", "scores": [%d, %d, 3]}`+"\n", i, i%7, i%5, i%11)
	}
	return b.String()
}

func benchFile(b *testing.B, name, text string) string {
	b.SetBytes(int64(len(text)))
	return fixture.File(b, name, text)
}

func BenchmarkIndexLines(b *testing.B) {
	path := benchFile(b, "a.jsonl", benchText())
	for b.Loop() {
		l, err := rows.Open(b.Context(), path)
		if err != nil || l.Len() != benchRows {
			b.Fatal(err)
		}
		l.Close()
	}
}

func BenchmarkIndexPacked(b *testing.B) {
	text := benchText()
	path := benchFile(b, "a.jsonl.gz", fixture.Gzip(text))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		l, err := rows.Open(b.Context(), path)
		if err != nil || l.Len() != benchRows {
			b.Fatal(err)
		}
		l.Close()
	}
}

func BenchmarkIndexLongLines(b *testing.B) {
	long := strings.Repeat(`{"caption": "`+strings.Repeat("x", 3<<20)+`"}`+"\n", 8)
	path := benchFile(b, "a.jsonl", long)
	for b.Loop() {
		l, err := rows.Open(b.Context(), path)
		if err != nil || l.Len() != 8 {
			b.Fatal(err)
		}
		l.Close()
	}
}

func BenchmarkLinesByNumber(b *testing.B) {
	l, err := rows.Open(b.Context(), benchFile(b, "a.jsonl", benchText()))
	fixture.OK(b, err)
	defer l.Close()
	var text []byte
	for b.Loop() {
		for i := range l.Len() {
			if text, err = l.AppendTo(text[:0], i*7919%benchRows); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func benchEach(b *testing.B, name, text string, want int) {
	path := benchFile(b, name, text)
	for b.Loop() {
		f, err := input.Open(b.Context(), path, input.Rows)
		fixture.OK(b, err)
		form, err := rows.FormOf(f)
		n := 0
		if err == nil {
			err = rows.Each(f, form, func(int, []byte) error { n++; return nil })
		}
		if err != nil || n != want {
			b.Fatal(n, err)
		}
		f.Close()
	}
}

func BenchmarkEachLine(b *testing.B) { benchEach(b, "a.jsonl", benchText(), benchRows) }

func BenchmarkEachInList(b *testing.B) {
	benchEach(b, "a.json", "["+strings.ReplaceAll(strings.TrimSpace(benchText()), "\n", ",\n")+"]", benchRows)
}

func BenchmarkEachInCSV(b *testing.B) {
	benchEach(b, "a.csv", "id,caption\n"+strings.Repeat("clip-1,A man in a red coat walks past shops while a dog barks twice and rain falls.\n", benchRows), benchRows)
}

func BenchmarkEachText(b *testing.B) {
	path := benchFile(b, "a.txt", benchText())
	for b.Loop() {
		f, err := input.Open(b.Context(), path, input.Texts)
		fixture.OK(b, err)
		fixture.OK(b, rows.EachText(f, func(int, string) error { return nil }))
		f.Close()
	}
}

func BenchmarkReadRows(b *testing.B) {
	path := benchFile(b, "a.jsonl", benchText())
	for b.Loop() {
		if _, err := rows.Read(b.Context(), path, rows.Layout{}, func([]byte, string, int) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
