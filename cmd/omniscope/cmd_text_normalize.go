package main

import (
	"github.com/spf13/cobra"

	"omniscope/record"
)

func newNormalize() *cobra.Command {
	var plain bool
	var name string
	cmd := &cobra.Command{
		Use:   "normalize --scheme NAME",
		Short: "Bring texts into the form in which words are compared",
		Long: `Add to each line "out", the normal form of the text "in". The schemes are:

` + aboutSchemes + `

A text that the published program cannot read, with a number of more than 4300 digits, gets
"error" (the exception in Python) and "message" in place of "out".

With --plain each line of text becomes one line of text, and such a number ends the command.`,
		Example: `  echo '{"id": 7, "in": "Mr. Park paid twenty-five dollars."}' | omniscope text normalize --scheme whisper-en
  omniscope text normalize --scheme whisper-basic --plain < talk.de.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFiles(cmd, plain, args); err != nil {
				return err
			}
			normalize, ok := schemes[name]
			if !ok {
				return checkChoice("scheme", name, []string{"whisper-en", "whisper-basic"})
			}
			work := onRecords(func(r *record.Record) ([]record.Field, error) { return normalForm(r, normalize) }, "out", "error", "message")
			if plain {
				work = onPlain(normalize)
			}
			return filterLines(cmd.Context(), "stdin", cmd.InOrStdin(), documentOut(cmd), work)
		},
	}
	cmd.Flags().StringVar(&name, "scheme", "", "how to normalise: whisper-en or whisper-basic")
	cmd.Flags().BoolVar(&plain, "plain", false, "read and write lines of text")
	return cmd
}

func normalForm(r *record.Record, normalize scheme) ([]record.Field, error) {
	text, err := r.Text("in")
	if err != nil {
		return nil, err
	}
	if text, err = normalize(text); err != nil {
		return nil, asRaised(err)
	}
	return []record.Field{record.String("out", text)}, nil
}

func onPlain(normalize scheme) lineWork {
	return func(dst []byte, line string) ([]byte, error) {
		if err := record.CheckUTF8(line); err != nil {
			return dst, err
		}
		text, err := normalize(line)
		if err != nil {
			return dst, record.Quoting(err, line)
		}
		return append(append(dst, text...), '\n'), nil
	}
}
