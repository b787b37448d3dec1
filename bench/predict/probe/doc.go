// Package probe finds out what an endpoint perceives of the media that it is sent.
// It makes clips with planted marks, such as numbers that are shown and beeps that
// are heard at known times, asks what there was, and compares the answers with the
// marks. How a model is asked is package predict's affair; whether its captions are
// good is package bench's.
package probe
