package rating

import (
	"math/bits"
	"strconv"
)

// Fixed is a signed fixed-point number with 32 bits after the point.
type Fixed int64

// One is 1.
const One Fixed = 1 << 32

const (
	ln10     Fixed = 9889527671
	log2Of10 Fixed = 14267572527
	threePi2 Fixed = 1305513510 // 3 / pi^2
)

// Of returns the whole number n as a Fixed.
func Of(n int) Fixed { return Fixed(n) << 32 }

// Round returns the nearest whole number, halves upwards.
func (f Fixed) Round() int { return int((f + One/2) >> 32) }

// String writes f in decimal, cut off after four places.
func (f Fixed) String() string {
	sign := ""
	u := magnitude(f)
	if f < 0 {
		sign = "-"
	}
	frac := strconv.FormatUint(10000+(u&(1<<32-1))*10000>>32, 10)
	return sign + strconv.FormatUint(u>>32, 10) + "." + frac[1:]
}

func magnitude(f Fixed) uint64 {
	if f < 0 {
		return -uint64(f)
	}
	return uint64(f)
}

func signed(u uint64, negative bool) Fixed {
	if u > 1<<63-1 {
		panic("rating: fixed-point overflow")
	}
	if negative {
		return -Fixed(u)
	}
	return Fixed(u)
}

// mulDiv returns a*b/c, exact and then cut off towards zero.
func mulDiv(a, b, c Fixed) Fixed {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	d := magnitude(c)
	if hi >= d {
		panic("rating: fixed-point overflow")
	}
	q, _ := bits.Div64(hi, lo, d)
	return signed(q, (a < 0) != (b < 0) != (c < 0))
}

func mul(a, b Fixed) Fixed { return mulDiv(a, b, One) }
func div(a, b Fixed) Fixed { return mulDiv(a, One, b) }

// sqrt returns the floor of the square root of f, which is not negative.
func sqrt(f Fixed) Fixed {
	// The root in Q32.32 is the root of f * 2^32 as an integer, below 2^48.
	hi, lo := uint64(f)>>32, uint64(f)<<32
	var r uint64
	for bit := uint64(1) << 47; bit > 0; bit >>= 1 {
		t := r | bit
		if h, l := bits.Mul64(t, t); h < hi || h == hi && l <= lo {
			r = t
		}
	}
	return Fixed(r)
}

// pow2Table[i] is 2^(2^-(i+1)) in Q1.63.
var pow2Table = [32]uint64{
	0xb504f333f9de6484, 0x9837f0518db8a96f, 0x8b95c1e3ea8bd6e7, 0x85aac367cc487b15,
	0x82cd8698ac2ba1d7, 0x8164d1f3bc030773, 0x80b1ed4fd999ab6c, 0x8058d7d2d5e5f6b1,
	0x802c6436d0e04f51, 0x8016302f17467628, 0x800b179c82028fd1, 0x80058baf7fee3b5d,
	0x8002c5d00fdcfcb7, 0x800162e61bed4a49, 0x8000b17292f702a4, 0x800058b92abbae02,
	0x80002c5c8dade4d7, 0x8000162e44eaf636, 0x80000b1721fa7c19, 0x8000058b90de7e4d,
	0x800002c5c8678f37, 0x80000162e431dba0, 0x800000b1721872d1, 0x80000058b90c1aa9,
	0x8000002c5c8605a4, 0x800000162e4300e6, 0x8000000b17217ff8, 0x800000058b90bfdd,
	0x80000002c5c85fe7, 0x8000000162e42ff2, 0x80000000b17217f8, 0x8000000058b90bfc,
}

// pow10 returns 10^y, with the exponent of 2 held within -30 and 30.
func pow10(y Fixed) Fixed {
	const limit = 30 * One
	z := max(-limit, min(limit, mul(y, log2Of10)))
	k := int(z >> 32)
	f := uint64(z) & (1<<32 - 1)
	r := uint64(1) << 63
	for i := range pow2Table {
		if f&(1<<(31-i)) != 0 {
			hi, lo := bits.Mul64(r, pow2Table[i])
			r = hi<<1 | lo>>63
		}
	}
	return Fixed(r >> (31 - k))
}
