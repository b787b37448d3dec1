package ngram

// Names that only the tests outside the package use.

const SmoothAddK = smoothAddK
const SmoothFloor = smoothFloor
const SmoothNone = smoothNone
const Tok13a = tok13a
const TokChar = tokChar
const TokIntl = tokIntl
const TokNone = tokNone
const TokZh = tokZh

type Tokenizer = tokenizer

const Varying = varying
