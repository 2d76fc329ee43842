package record

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"math/big"
	"testing"
)

// edwards is the curve in big integers, slow and by the book, against which
// the table of small order points is held.
type edwards struct{ p, d *big.Int }

func newEdwards() edwards {
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	d := new(big.Int).ModInverse(big.NewInt(121666), p)
	d.Mul(d, big.NewInt(-121665)).Mod(d, p)
	return edwards{p, d}
}

func (c edwards) mul(a, b *big.Int) *big.Int { return new(big.Int).Mod(new(big.Int).Mul(a, b), c.p) }

// x is the even root for y, nil if y is on no point.
func (c edwards) x(y *big.Int) *big.Int {
	y2 := c.mul(y, y)
	num := new(big.Int).Sub(y2, big.NewInt(1))
	den := new(big.Int).Add(c.mul(c.d, y2), big.NewInt(1))
	x := new(big.Int).ModSqrt(c.mul(num, new(big.Int).ModInverse(den, c.p)), c.p)
	if x != nil && x.Bit(0) == 1 {
		x.Sub(c.p, x)
	}
	return x
}

func (c edwards) add(x1, y1, x2, y2 *big.Int) (*big.Int, *big.Int) {
	t := c.mul(c.d, c.mul(c.mul(x1, x2), c.mul(y1, y2)))
	nx := new(big.Int).Add(c.mul(x1, y2), c.mul(x2, y1))
	ny := new(big.Int).Add(c.mul(y1, y2), c.mul(x1, x2))
	one := big.NewInt(1)
	return c.mul(nx, new(big.Int).ModInverse(new(big.Int).Mod(new(big.Int).Add(one, t), c.p), c.p)),
		c.mul(ny, new(big.Int).ModInverse(new(big.Int).Mod(new(big.Int).Sub(one, t), c.p), c.p))
}

func littleEndian(k Key) *big.Int {
	for i, j := 0, len(k)-1; i < j; i, j = i+1, j-1 {
		k[i], k[j] = k[j], k[i]
	}
	return new(big.Int).SetBytes(k[:])
}

func TestTheRefusedPointsAreThoseOfSmallOrder(t *testing.T) {
	c := newEdwards()
	for _, k := range []Key{orderOne, orderTwo, orderFour, orderEightA, orderEightB} {
		y := littleEndian(k)
		x := c.x(y)
		if x == nil {
			t.Errorf("%x is no point", k)
			continue
		}
		for range 3 {
			x, y = c.add(x, y, x, y)
		}
		if x.Sign() != 0 || y.Cmp(big.NewInt(1)) != 0 {
			t.Errorf("8 times %x is not the neutral point", k)
		}
	}
}

// keyCases are also vectors: small order, second spellings, and good keys
// close to them.
var keyCases = []struct {
	name, hex string
	want      Reason
}{
	{"a key", "", 0},
	{"order 1", "0100000000000000000000000000000000000000000000000000000000000000", ErrKeySmallOrder},
	{"order 2", "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", ErrKeySmallOrder},
	{"order 4", "0000000000000000000000000000000000000000000000000000000000000000", ErrKeySmallOrder},
	{"order 4, negative", "0000000000000000000000000000000000000000000000000000000000000080", ErrKeySmallOrder},
	{"order 8", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", ErrKeySmallOrder},
	{"order 8, negative", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85", ErrKeySmallOrder},
	{"order 8, other y", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", ErrKeySmallOrder},
	{"order 8, other y, negative", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", ErrKeySmallOrder},
	{"order 1 with a sign", "0100000000000000000000000000000000000000000000000000000000000080", ErrKeyForm},
	{"order 2 with a sign", "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", ErrKeyForm},
	{"order 4 as p", "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", ErrKeyForm},
	{"order 4 as p with a sign", "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", ErrKeyForm},
	{"order 1 as p+1", "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", ErrKeyForm},
	{"3 as p+3", "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", ErrKeyForm},
	{"the largest y", "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", ErrKeyForm},
	{"all ones", "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", ErrKeyForm},
	{"3", "0300000000000000000000000000000000000000000000000000000000000000", 0},
	{"p-2", "ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", 0},
	{"2^255-1 less a bit", "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe7f", 0},
	{"31 bytes", "00000000000000000000000000000000000000000000000000000000000000", ErrKeyLength},
	{"33 bytes", "030000000000000000000000000000000000000000000000000000000000000000", ErrKeyLength},
	{"no bytes", "-", ErrKeyLength},
}

func TestParseKey(t *testing.T) {
	for _, c := range keyCases {
		b, _ := hex.DecodeString(c.hex)
		if c.hex == "" {
			b = host.key[:]
		}
		k, err := ParseKey(b)
		if reasonOf(err) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil && hex.EncodeToString(k[:]) != hex.EncodeToString(b) {
			t.Errorf("%s: %x", c.name, k)
		}
	}
	for i := range 100 {
		k := newSigner(byte(i)).key
		if err := k.Check(); err != nil {
			t.Errorf("%x: %v", k, err)
		}
	}
}

// Without the refusal anybody could "sign" for such a key.
func TestUnderAKeyOfSmallOrderForgeriesVerify(t *testing.T) {
	var forged Signature
	forged[0] = 1 // R neutral, S zero
	hits := 0
	for i := range 64 {
		if ed25519.Verify(orderOne[:], []byte{byte(i)}, forged[:]) {
			hits++
		}
	}
	if hits == 0 {
		t.Error("the forgery does not verify: the refusal guards against nothing")
	}
	if !errors.Is(orderOne.Check(), ErrKeySmallOrder) {
		t.Error("and it is not refused")
	}
}
