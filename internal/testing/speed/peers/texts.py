# Prints the score of two files of texts: texts.py wer|bleu|chrf HYP REF.
import sys

metric, hyp, ref = sys.argv[1:]
hyp, ref = (open(path, encoding="utf-8").read().splitlines() for path in (hyp, ref))
if metric == "wer":
    import jiwer

    print(jiwer.wer(ref, hyp))
else:
    import sacrebleu

    score = sacrebleu.corpus_bleu if metric == "bleu" else sacrebleu.corpus_chrf
    print(score(hyp, [ref]).score)
