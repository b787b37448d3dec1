package vec

// The constants of exp, GELU and tanh, each the float32 that is meant. The
// polynomials are minimax fits (weighted least squares, reweighted until the
// error is level). Errors are relative, before the rounding to float32:
//
//	exp(r) = 1 + r + r*r*(exp0 + exp1*r + ...)              |r| <= ln 2 / 2, 4e-9
//	Q(a) = exp(-a*a/2) * w*(tail0 + tail1*w + ...)          w = 1/(1+0.26a), a <= 12, 2e-8
//	tanh(a) = a + a*s*(tanh0 + tanh1*s + ...)               s = a*a, a <= 0.6, 3e-9
//
// Q is the upper tail of the normal distribution.
const (
	log2e        = 0x1.715476p+0
	magic        = 0x1.8000fep+23 // adding it rounds to an integer n and leaves n+127 in the last bits
	minusLn2High = -0x1.62e4p-1   // 15 bits: its product with n is exact
	minusLn2Low  = -0x1.7f7d1cp-20
	exp0         = 0x1.fffffcp-2
	exp1         = 0x1.55548ap-3
	exp2         = 0x1.555916p-5
	exp3         = 0x1.123fc6p-7
	exp4         = 0x1.6a1a6ep-10
	expLimit     = -64

	tailScale = 0x1.0a3d7p-2 // 0.26
	tailLimit = 12
	tail0     = 0x1.a909a8p-4
	tail1     = 0x1.a54bd8p-4
	tail2     = 0x1.aa8b48p-4
	tail3     = 0x1.7fb2fcp-5
	tail4     = 0x1.5d3f8cp-3
	tail5     = -0x1.50f796p-3
	tail6     = 0x1.0d7c14p-2
	tail7     = -0x1.44693p-3
	tail8     = 0x1.032fb4p-5

	tanhSmall = 0x1.333334p-1 // 0.6
	tanhLimit = 10
	tanh0     = -0x1.55553ep-2
	tanh1     = 0x1.1109aep-3
	tanh2     = -0x1.b898dcp-5
	tanh3     = 0x1.54b898p-6
	tanh4     = -0x1.825836p-8
)
