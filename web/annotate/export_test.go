package annotate

// Names that only the tests outside the package use.

type Media = media
