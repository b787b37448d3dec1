// Package predict runs models on samples: it gives a model a sample's media and
// prompt as a Profile says, and keeps what the model answered, what it was sent,
// and what went wrong. What the answers are worth is package bench's affair.
//
// Nothing counts as an answer that is none: a refusal, an answer that was cut off,
// an empty one, a call that failed and a clip that cannot be opened are outcomes
// of their own.
package predict
