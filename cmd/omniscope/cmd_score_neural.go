package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/langcode"
	"omniscope/internal/spelling"
	"omniscope/metric/neural"
	"omniscope/metric/neural/installed"
	"omniscope/metric/neural/models"
	"omniscope/results/score"
	"omniscope/results/score/networks"
	"omniscope/session"
	"omniscope/session/journals"
	"omniscope/session/rows"
)

// neuralOptions are the flags of the metrics that need a network.
type neuralOptions struct {
	scoreOptions
	networks   installed.Options
	Model      string
	WorkDir    string
	Journal    string
	NoProgress bool
	shard      session.Shard
}

func (o *neuralOptions) addNeuralFlags(f *pflag.FlagSet) {
	o.addFlags(f)
	addNetworkFlags(f, &o.networks)
	f.StringVar(&o.WorkDir, "work-dir", "", "folder of a journal that remembers the score of each segment, also for other machines (default: none,\nthe folder of --cache-dir remembers them for this one)")
	addJournal(f, &o.Journal)
	addShard(f, &o.shard)
	addQuiet(f, &o.NoProgress)
}

func (o *neuralOptions) checkNeural(cmd *cobra.Command) error {
	journal := o.WorkDir != "" || o.Journal != ""
	err := checkRules([]rule{
		{o.networks.NoCache && journal, "give --work-dir and --journal, or --no-cache, not both"},
		{o.shard.N > 0 && !journal, "--shard keeps the scores of a part in a journal: name it with --work-dir or --journal"},
	})
	if err := cmp.Or(o.networks.Check(), err); err != nil {
		return err
	}
	return o.check(cmd.Flags().Changed("format"), 1)
}

// runNeural scores with a measure, once the flags are checked.
func (o *neuralOptions) runNeural(cmd *cobra.Command, m *networks.Measure) (err error) {
	if err := o.CheckFormat(o.Format, o.PerSegment, &m.Measure); err != nil {
		return err
	}
	in, err := o.Files.Read(cmd.Context(), &m.Measure)
	if err != nil {
		return err
	}
	p := &tokenProgress{w: cmd.ErrOrStderr(), quiet: o.NoProgress}
	o.networks.Progress = p.tell
	n, err := installed.Open(o.networks)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	defer p.stop()
	if err := m.Open(n); err != nil {
		return err
	}
	if o.WorkDir != "" || o.Journal != "" {
		scoring := rows.ScoreSpec{Command: "score " + m.Name, Predictions: in.Names(), Signature: m.Signature(1, true), Texts: in.Digest()}
		journal, err := rows.OpenScores(cmd.Context(), &session.Calls{WorkDir: o.WorkDir, Journal: o.Journal, Journals: journals.All}, scoring, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, journal.Close()) }()
		m.Once = journal.Once(false)
	}
	count := m.Count
	m.Count = func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
		p.what = system.Name
		return count(ctx, in, system)
	}
	if o.shard.N > 0 {
		return o.scorePart(cmd, m, in.Part(o.shard.I, o.shard.N), p)
	}
	s, err := m.Score(cmd.Context(), in, o.Seed)
	if err != nil {
		return err
	}
	p.stop()
	s.Warnings = slices.Concat(s.Warnings, m.Warnings, n.CacheWarnings())
	return o.print(cmd.OutOrStdout(), cmd.ErrOrStderr(), s)
}

// scorePart scores a part of the segments; the scores are in the journal then.
func (o *neuralOptions) scorePart(cmd *cobra.Command, m *networks.Measure, part *score.Input, p *tokenProgress) error {
	for _, system := range part.Systems {
		if _, err := m.Count(cmd.Context(), part, system); err != nil {
			return err
		}
	}
	p.stop()
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "the %d segments in part %s are scored; the same command without --shard makes the results, once the parts' journals are joined\n", part.Len(), &o.shard)
	return err
}

// bertScoreOptions are the flags of score bertscore.
type bertScoreOptions struct {
	neuralOptions
	Profile   string
	NoRescale bool
}

func newScoreBERTScore() *cobra.Command {
	o := &bertScoreOptions{}
	cmd := &cobra.Command{
		Use:   "bertscore --hyp FILE --ref FILE --lang LANG",
		Short: "BERTScore, by the models of bert_score",
		Long: `BERTScore: how well the words of hypothesis and reference match, by the cosines of a network's
vectors, as bert_score 0.3.13 computes it. Model, layer and baseline are those that it takes for the
language: roberta-large for en, bert-base-multilingual-cased for de and it, bert-base-chinese for zh.
` + "`omniscope data get bert_score/de`" + ` downloads one.

The headline is F, rescaled so that texts that have nothing to do with each other come to about 0;
an empty text is far below. --no-rescale leaves it as it is, at most 1.

bert_score works on batches of 64, in which a short text does not come out quite as by itself where
cosines are below zero. Scoring official does the same in the order of the lines; strict scores each
pair by itself. What was computed for a text is remembered and used again.

--format python prints bert_score's line, with this program's signature in place of its hash, and
with --per-segment the lines of the segments.`,
		Example: `  omniscope score bertscore --hyp answers.de.txt --ref ref.de.txt --lang de
  omniscope score bertscore --hyp out.txt --ref ref.txt --lang en --no-rescale --scoring strict`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.checkNeural(cmd); err != nil {
				return err
			}
			if err := spelling.CheckChoice("scoring", o.Profile, profiles); err != nil {
				return err
			}
			if m, known := models.Lookup(o.Model); known && m.Kind == models.BERTScore && o.Lang == "" {
				o.Lang = m.Language
			}
			switch languages := strings.Join(neural.Languages(), ", "); {
			case o.Lang == "":
				return omniscope.Usagef("give --lang, the language of the texts: BERTScore has models for %s", languages)
			case !slices.Contains(neural.Languages(), langcode.Base(o.Lang)):
				return omniscope.Usagef("BERTScore has models for the languages %s: give one with --lang, not %q%s", languages, o.Lang, langcode.Hint(o.Lang, neural.Languages()))
			}
			o.Lang = langcode.Base(o.Lang)
			return o.runNeural(cmd, networks.BERTScore(networks.BERTScoreOptions{Model: o.Model, Lang: o.Lang, Scoring: o.Profile, NoRescale: o.NoRescale}))
		},
	}
	f := cmd.Flags()
	o.addNeuralFlags(f)
	o.addLanguage(f)
	f.StringVar(&o.Model, "model", "", "name of a model, or its folder (default: bert_score/LANG)")
	f.StringVar(&o.Profile, "scoring", "official", "official: in batches, as bert_score; strict: each pair by itself")
	f.BoolVar(&o.NoRescale, "no-rescale", false, "do not rescale by the baseline")
	return cmd
}

// cometOptions are the flags of score comet.
type cometOptions struct{ neuralOptions }

func newScoreCOMET() *cobra.Command {
	o := &cometOptions{}
	cmd := &cobra.Command{
		Use:   "comet --src FILE --hyp FILE --ref FILE",
		Short: "COMET of translations, by wmt22-comet-da",
		Long: `COMET: how people would judge a translation, predicted from source, translation and reference by
the network wmt22-comet-da, as unbabel-comet 2.2.4 computes it; mostly between 0 and 1.
` + "`omniscope data get comet/wmt22-comet-da`" + ` downloads it.

What was computed for a text is remembered and used again: of a second system only its own
translations are computed.

--format python prints comet-score's lines: that of each system, with --per-segment those of its
segments before.`,
		Example: `  omniscope score comet --src src.en.txt --hyp out.de.txt --ref ref.de.txt
  omniscope score comet --data rows.jsonl --hyp-field a --hyp-field b --cluster talk`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.checkNeural(cmd); err != nil {
				return err
			}
			if o.Src == "" && o.Data == "" {
				return omniscope.Usagef("COMET reads the source as well: give it with --src FILE or --data FILE")
			}
			return o.runNeural(cmd, networks.COMET(o.Model))
		},
	}
	f := cmd.Flags()
	o.addNeuralFlags(f)
	o.addSource(f)
	f.StringVar(&o.Model, "model", "", "name of a model, or its folder (default: "+installed.COMET+")")
	return cmd
}
