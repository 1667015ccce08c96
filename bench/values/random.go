package values

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
)

// Random returns a T whose fields have random values that their tags permit.
// Fields whose conditions do not hold have values as well. It supports the kinds
// and options of the types of this package only.
func Random[T any](random *rand.Rand) T {
	var v T
	fill(random, reflect.ValueOf(&v).Elem(), nil)
	return v
}

// options are the options of a tag, by name.
type options map[string]string

func parse(tag string) options {
	o := options{}
	for _, option := range strings.Split(tag, ",") {
		name, value, _ := strings.Cut(option, "=")
		o[name] = value
	}
	return o
}

// number returns the value of an option, which is missing if ok is not set.
func (o options) number(name string) (x float64, ok bool) {
	text, ok := o[name]
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("option %s: %v", name, err))
	}
	return x, true
}

func fill(random *rand.Rand, v reflect.Value, o options) {
	least, ranged := o.number("min")
	most, _ := o.number("max")
	if frac, ok := o.number("frac"); ok {
		unit := float64(uint64(1) << uint(frac))
		least, most = least*unit, most*unit
	}
	code, unused := random.Uint64(), 0
	if bits, ok := o.number("bits"); ok {
		unused = 64 - int(bits)
	} else if v.CanInt() || v.CanUint() {
		unused = 64 - v.Type().Bits()
	}
	if ranged {
		code = random.Uint64N(uint64(most-least) + 1)
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(code&1 != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if ranged {
			v.SetInt(int64(least) + int64(code))
		} else {
			v.SetInt(int64(code) << unused >> unused)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if ranged {
			v.SetUint(uint64(least) + code)
		} else {
			v.SetUint(code << unused >> unused)
		}
	case reflect.Float32, reflect.Float64:
		if ranged {
			v.SetFloat(least + random.Float64()*(most-least))
		} else {
			v.SetFloat(random.NormFloat64() * 1000)
		}
	case reflect.Slice:
		limit, _ := o.number("maxlen")
		n := random.IntN(int(limit) + 1)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(random, v.Index(i), o)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(random, v.Field(i), parse(v.Type().Field(i).Tag.Get("bp")))
		}
	default:
		panic(fmt.Sprintf("%s is not supported", v.Type()))
	}
}
