package ocr

import (
	"cmp"
	"image"
	"slices"
	"strconv"

	"omniscope/media"
)

// Pictures of a closer look are read in tiles: tesseract parts what it reads into letters and ground by all that is in
// it, and so loses small words that have little to do with the rest.
const (
	tileWidth, tileHeight = 1280, 720 // pixels at most, without what tiles share
	tileSliver            = 3         // the same above and below, in pixels
	tileShared            = 160       // pixels by which a tile reaches into the next
	tileEdge              = 1.2       // words nearer to where the picture was cut may be parts of words; in their heights, about a letter
)

// tilesOf are the tiles of a picture.
func tilesOf(size image.Rectangle) (tiles []image.Rectangle) {
	columns, rows := (size.Dx()+tileWidth-1)/tileWidth, (size.Dy()+tileHeight-1)/tileHeight
	for y := range rows {
		for x := range columns {
			tile := image.Rect(x*size.Dx()/columns, y*size.Dy()/rows, (x+1)*size.Dx()/columns, (y+1)*size.Dy()/rows)
			tiles = append(tiles, tile.Add(size.Min).Inset(-tileShared).Intersect(size))
		}
	}
	return tiles
}

// greyMap is a part of a picture as a portable grey map.
func greyMap(g *image.Gray, part image.Rectangle) []byte {
	file := []byte("P5\n" + strconv.Itoa(part.Dx()) + " " + strconv.Itoa(part.Dy()) + "\n255\n")
	for y := part.Min.Y; y < part.Max.Y; y++ {
		at := g.PixOffset(part.Min.X, y)
		file = append(file, g.Pix[at:at+part.Dx()]...)
	}
	return file
}

// together are the words of all tiles of a picture, each once, line by line. The picture goes on beyond some of its
// edges, where it is a region of another.
func together(size image.Rectangle, goesOn edges, tiles []image.Rectangle, jobs []*job) (all []word) {
	for i, j := range jobs {
		for _, w := range j.words {
			if cutBy(tiles[i], size, goesOn, w.box) {
				continue
			}
			w.x, w.y = w.x+tiles[i].Min.X-size.Min.X, w.y+tiles[i].Min.Y-size.Min.Y
			at := slices.IndexFunc(all, func(o word) bool { return o.shared(w.box) >= 0.5 })
			switch {
			case at < 0:
				all = append(all, w)
			case w.conf > all[at].conf:
				all[at] = w
			}
		}
	}
	return inLines(all)
}

// edges are those of a picture beyond which it goes on.
type edges struct{ left, top, right, bottom bool }

func edgesOf(r media.Region) edges {
	if r == (media.Region{}) {
		return edges{}
	}
	return edges{r[0] > 0, r[1] > 0, r[2] < 1, r[3] < 1}
}

// cutBy reports whether a word is so near to an edge of a tile where the picture goes on that it may be cut.
func cutBy(tile, picture image.Rectangle, goesOn edges, w box) bool {
	near := int(tileEdge * float64(w.height))
	return w.x < near && (goesOn.left || tile.Min.X > picture.Min.X) || w.x+w.width > tile.Dx()-near && (goesOn.right || tile.Max.X < picture.Max.X) ||
		w.y < tileSliver && (goesOn.top || tile.Min.Y > picture.Min.Y) || w.y+w.height > tile.Dy()-tileSliver && (goesOn.bottom || tile.Max.Y < picture.Max.Y)
}

// inLines puts words into lines by where they stand: tiles know nothing of each other's lines.
func inLines(words []word) []word {
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	var lines [][]word
	for _, w := range words {
		at := slices.IndexFunc(lines, func(l []word) bool { return l[len(l)-1].level(w) })
		if at < 0 {
			lines = append(lines, nil)
			at = len(lines) - 1
		}
		w.line = [3]int{0, 0, at}
		lines[at] = append(lines[at], w)
	}
	for _, l := range lines {
		slices.SortFunc(l, func(a, b word) int { return cmp.Compare(a.x, b.x) })
	}
	return slices.Concat(lines...)
}

// level reports whether two words stand at one height.
func (w *word) level(o word) bool {
	shared := min(w.y+w.height, o.y+o.height) - max(w.y, o.y)
	return 2*shared >= min(w.height, o.height)
}
