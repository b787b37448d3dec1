package signal_test

import (
	"fmt"
	"math"

	"omniscope/media/signal"
)

func Example() {
	a, err := signal.New(16000, 1)
	if err != nil {
		panic(err)
	}
	block := make([]float32, 1600) // a tenth of a second
	for n := range 50 {
		for i := range block {
			block[i] = float32(0.1 * math.Sin(2*math.Pi*440*float64(n*len(block)+i)/16000))
		}
		a.Add(block)
	}
	f := a.Facts()
	fmt.Printf("%v at %.1f dBFS\n", f.Duration, f.Level.RMS)
	if f.Pitch.Known {
		fmt.Printf("pitch %.0f Hz\n", f.Pitch.Median)
	}
	if !f.Speech.Present {
		fmt.Println("no speech found")
	}
	// Output:
	// 5s at -23.0 dBFS
	// pitch 440 Hz
	// no speech found
}
