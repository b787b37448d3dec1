package parquetfile

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"omniscope/internal/jsonfast"
)

// mostDecimal is how many bytes a decimal may have: 76 digits are the most that other programs know.
const mostDecimal = 64

// isText reports whether the values of a column can be written as JSON. Bytes without a meaning, such as media, cannot.
func isText(e element) bool {
	switch e.physical {
	case byteArrays:
		return slices.Contains([]int{logicalString, logicalEnum, logicalJSON, logicalDecimal}, e.logical.kind)
	case fixedBytes:
		switch e.logical.kind {
		case logicalDecimal:
			return e.length > 0 && e.length <= mostDecimal
		case logicalUUID:
			return e.length == 16
		case logicalFloat16:
			return e.length == 2
		}
		return false
	}
	return e.physical >= boolean && e.physical < byteArrays
}

// appendValue appends a value as JSON.
func appendValue(to []byte, e element, v []byte) ([]byte, error) {
	switch e.physical {
	case boolean:
		return strconv.AppendBool(to, v[0] != 0), nil
	case int32s:
		n := binary.LittleEndian.Uint32(v)
		if e.logical.unsigned {
			return strconv.AppendUint(to, uint64(n), 10), nil
		}
		return appendInt(to, e.logical, int64(int32(n))), nil
	case int64s:
		n := binary.LittleEndian.Uint64(v)
		if e.logical.unsigned {
			return strconv.AppendUint(to, n, 10), nil
		}
		return appendInt(to, e.logical, int64(n)), nil
	case int96s:
		return appendInt96(to, v), nil
	case floats:
		return appendFloat(to, float64(math.Float32frombits(binary.LittleEndian.Uint32(v))), 32), nil
	case doubles:
		return appendFloat(to, math.Float64frombits(binary.LittleEndian.Uint64(v)), 64), nil
	}
	switch e.logical.kind {
	case logicalDecimal:
		if len(v) > mostDecimal {
			return to, fmt.Errorf("a decimal of %d bytes", len(v))
		}
		return appendDecimal(to, bigEndian(v), e.logical.scale), nil
	case logicalUUID:
		h := hex.EncodeToString(v)
		return jsonfast.Append(to, strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")), nil
	case logicalFloat16:
		return appendFloat(to, float16(binary.LittleEndian.Uint16(v)), 32), nil
	case logicalJSON:
		if !jsonfast.ValidBytes(v) {
			return to, errors.New("a value is called JSON and is none")
		}
		return append(to, strings.NewReplacer("\n", " ", "\r", " ").Replace(string(v))...), nil
	}
	return jsonfast.Append(to, string(v)), nil
}

// appendInt appends a number, a date or a time.
func appendInt(to []byte, l logical, v int64) []byte {
	switch l.kind {
	case logicalDecimal:
		return appendDecimal(to, big.NewInt(v), l.scale)
	case logicalDate:
		return jsonfast.Append(to, time.Unix(0, 0).UTC().AddDate(0, 0, int(v)).Format(time.DateOnly))
	case logicalTime:
		if l.unit > 0 && v >= 0 {
			return jsonfast.Append(to, instant(v, l.unit).Format("15:04:05.999999999"))
		}
	case logicalTimestamp:
		if l.unit > 0 {
			return appendTimestamp(to, instant(v, l.unit), l.utc)
		}
	}
	return strconv.AppendInt(to, v, 10)
}

// instant is a time of so many ticks since 1970, of which a second has unit.
func instant(ticks int64, unit int) time.Time {
	seconds, rest := ticks/int64(unit), ticks%int64(unit)
	return time.Unix(seconds, rest*int64(1_000_000_000/unit)).UTC()
}

// appendTimestamp writes a time as ISO 8601 has it, with a Z where it is known to be UTC.
func appendTimestamp(to []byte, t time.Time, utc bool) []byte {
	text := t.Format("2006-01-02T15:04:05.999999999")
	if utc {
		text += "Z"
	}
	return jsonfast.Append(to, text)
}

// appendInt96 writes a timestamp as Impala and Spark store it: nanoseconds of the day, and the Julian day.
func appendInt96(to, v []byte) []byte {
	const unixDay = 2_440_588
	nanoseconds, day := int64(binary.LittleEndian.Uint64(v)), int64(binary.LittleEndian.Uint32(v[8:]))
	return appendTimestamp(to, time.Unix((day-unixDay)*86_400, 0).UTC().Add(time.Duration(nanoseconds)), false)
}

// appendFloat writes null for what is no number: JSON has no word for it.
func appendFloat(to []byte, v float64, bits int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(to, "null"...)
	}
	format := byte('f')
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(to, v, format, -1, bits)
}

// float16 is the value of a number of 16 bits (IEEE 754).
func float16(v uint16) float64 {
	exponent, fraction := int(v>>10&31), float64(v&1023)
	var f float64
	switch exponent {
	case 0:
		f = math.Ldexp(fraction, -24)
	case 31:
		return math.NaN()
	default:
		f = math.Ldexp(1024+fraction, exponent-25)
	}
	if v>>15 == 1 {
		return -f
	}
	return f
}

// bigEndian is a number in two's complement.
func bigEndian(v []byte) *big.Int {
	n := new(big.Int).SetBytes(v)
	if len(v) > 0 && v[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v))))
	}
	return n
}

// appendDecimal writes a number with all its digits.
func appendDecimal(to []byte, n *big.Int, scale int) []byte {
	text := new(big.Int).Abs(n).String()
	if n.Sign() < 0 {
		to = append(to, '-')
	}
	if scale <= 0 || scale > 1000 {
		return append(to, text...)
	}
	if short := scale + 1 - len(text); short > 0 {
		text = strings.Repeat("0", short) + text
	}
	return append(append(append(to, text[:len(text)-scale]...), '.'), text[len(text)-scale:]...)
}
