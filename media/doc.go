// Package media opens audio and video in one place: what a file holds (Probe),
// which frames a model would see under a declared and hashed policy (Policy),
// those frames with their exact times (Frames), sound as samples (Speech,
// Sound), cuts of a span (CutAudio, CutVideo, CutFullSize), and one pass over a file that
// yields all of that together with loudness, silences, cuts, black and still
// spans (Survey).
//
// It runs the programs ffmpeg and ffprobe, which must be installed (Programs
// says whether they are), and never a shell: a file's name reaches them as one
// argument, whatever it looks like. It knows nothing of models and captions;
// what is seen and heard is said by others.
//
// Two clocks occur. A frame's PTS is the time stamp in the file, as ffprobe
// prints it. All other times are media time: zero is the file's own start
// (File.Start), as players show it. Media time of a frame is its PTS less
// File.Start.
//
// Each function ends soon after its context is cancelled, and leaves no
// process behind. Functions are safe for concurrent use, and so is a *File.
package media
