package media

import "math"

// Size returns the width and height at which the policy shows a picture of
// width × height, when n frames of its video are taken.
func (p Policy) Size(width, height, n int) (w, h int, err error) {
	p = p.filled()
	if width < 1 || height < 1 || n < 1 {
		return 0, 0, badPolicy("%d frames of %d×%d pixels", n, width, height)
	}
	if p.Width > 0 {
		return p.Width, p.Height, nil
	}
	switch p.Count {
	case QwenUtils:
		return SmartResize(width, height, p.Factor, p.MinPixels, p.utilsMax(n))
	case QwenTransformers:
		return p.clipResize(width, height, n)
	}
	most := p.MaxPixels
	if p.TotalPixels > 0 {
		if share := max(p.TotalPixels/n, p.MinPixels, 1); most == 0 || share < most {
			most = share
		}
	}
	if most == 0 {
		most = math.MaxInt
	}
	return SmartResize(width, height, p.Factor, p.MinPixels, most)
}

// utilsMax is the most pixels of one of n frames in qwen-vl-utils (fetch_video
// in vision_process.py): 768 tokens, or an even share of the total, but never
// so little that it meets the minimum.
func (p Policy) utilsMax(n int) int {
	share := min(float64(768*p.Factor*p.Factor), float64(p.TotalPixels)/float64(n)*2)
	return int(min(float64(p.MaxPixels), max(share, float64(int(1.05*float64(p.MinPixels))))))
}

// SmartResize returns the size with both sides multiples of factor, between
// least and most pixels, and the aspect kept as well as that allows. It is
// smart_resize of qwen-vl-utils (QwenLM/Qwen3-VL, vision_process.py), where
// rounding goes to the even neighbour half-way. Shrinking never goes below one
// factor, which the original would let become zero.
func SmartResize(width, height, factor, least, most int) (w, h int, err error) {
	if width < 1 || height < 1 || factor < 1 {
		return 0, 0, badPolicy("%d×%d pixels in multiples of %d", width, height, factor)
	}
	if max(width, height) > 200*min(width, height) {
		return 0, 0, badPolicy("%d×%d: %w", width, height, errAspect)
	}
	f, area := float64(factor), float64(width)*float64(height)
	w = max(factor, factor*int(math.RoundToEven(float64(width)/f)))
	h = max(factor, factor*int(math.RoundToEven(float64(height)/f)))
	switch {
	case w*h > most:
		b := math.Sqrt(area / float64(most))
		w = max(factor, factor*int(math.Floor(float64(width)/b/f)))
		h = max(factor, factor*int(math.Floor(float64(height)/b/f)))
	case w*h < least:
		b := math.Sqrt(float64(least) / area)
		w = factor * int(math.Ceil(float64(width)*b/f))
		h = factor * int(math.Ceil(float64(height)*b/f))
	}
	return w, h, nil
}

// clipResize is smart_resize of the Qwen3-VL video processor in transformers
// (video_processing_qwen3_vl.py): the limits are those of the whole clip.
func (p Policy) clipResize(width, height, n int) (w, h int, err error) {
	least, most := p.MinPixels, p.TotalPixels
	if p.PerFrame {
		most = n * max(min(768*p.Factor*p.Factor, p.TotalPixels/n), int(1.05*float64(p.MinPixels)))
	}
	// The processor wants two frames at least, and repeats the only one.
	frames, f := float64(max(n, 2)), float64(p.Factor)
	width, height = grown(width, height, p.Factor)
	if max(width, height) > 200*min(width, height) {
		return 0, 0, badPolicy("%d×%d: %w", width, height, errAspect)
	}
	volume := frames * float64(width) * float64(height)
	w = p.Factor * int(math.RoundToEven(float64(width)/f))
	h = p.Factor * int(math.RoundToEven(float64(height)/f))
	switch even := 2 * int(math.RoundToEven(frames/2)); {
	case even*w*h > most:
		b := math.Sqrt(volume / float64(most))
		w = max(p.Factor, p.Factor*int(math.Floor(float64(width)/b/f)))
		h = max(p.Factor, p.Factor*int(math.Floor(float64(height)/b/f)))
	case even*w*h < least:
		b := math.Sqrt(float64(least) / volume)
		w = p.Factor * int(math.Ceil(float64(width)*b/f))
		h = p.Factor * int(math.Ceil(float64(height)*b/f))
	}
	return w, h, nil
}

// grown scales a picture up until no side is shorter than factor.
func grown(width, height, factor int) (w, h int) {
	if width >= factor && height >= factor {
		return width, height
	}
	scale := max(float64(factor)/float64(height), float64(factor)/float64(width))
	return int(float64(width) * scale), int(float64(height) * scale)
}
