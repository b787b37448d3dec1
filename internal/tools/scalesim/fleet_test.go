package scalesim

import "testing"

func small() Fleet {
	return Fleet{Clips: 2000, Workers: 10, Slots: 4, Calls: 5, Tools: 2, ToolSeconds: 8, CallSeconds: 3, Spread: 0.5, BackAfter: 90, Lease: 60, Server: measured, Price: 0.01, Seed: 1}
}

func TestEverythingIsDoneOnce(t *testing.T) {
	r := small().Run()
	if want := 2000 * (5 + 2); r.Rows != want || r.Doubled != 0 || r.Preempted != 0 {
		t.Errorf("%d rows, %d calls made twice, want %d and none", r.Rows, r.Doubled, want)
	}
	// 40 slots, each clip takes 8 s and five times 3 s, times exp(0.125) for the mean.
	if want := 2000 * (8 + 15.) * 1.133 / 40; r.Seconds < 0.95*want || r.Seconds > 1.1*want {
		t.Errorf("it took %.0f s, want about %.0f", r.Seconds, want)
	}
}

func TestThePreemptedAreTakenOver(t *testing.T) {
	f := small()
	f.PreemptEvery = 300
	r := f.Run()
	if r.Rows != 2000*7 || r.Preempted == 0 || r.Doubled == 0 || r.Doubled > r.Preempted*f.Slots {
		t.Errorf("%d rows, %d workers preempted, %d calls made twice", r.Rows, r.Preempted, r.Doubled)
	}
	if again := f.Run(); again != r {
		t.Error("the same seed gave another fleet")
	}
}

func TestAnEndpointIsTheLimit(t *testing.T) {
	f := small()
	f.Endpoint = 5
	r := f.Run()
	if r.OnTheWire != 5 || r.Waited < 0.5 || r.CallsPerS > 5/3. {
		t.Errorf("%d calls on the wire, %.2f a second, waiting for %.0f %%", r.OnTheWire, r.CallsPerS, 100*r.Waited)
	}
}
