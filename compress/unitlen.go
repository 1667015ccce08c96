package compress

import "math"

// unit4 divides v by its length, with an error of 2 ulps. It returns false if v
// is zero or has a NaN or an infinity.
func unit4(v *[4]float64) bool {
	// The conversions keep the products from being fused with the sums.
	sum := float64(v[0]*v[0]) + float64(v[1]*v[1]) + float64(v[2]*v[2]) + float64(v[3]*v[3])
	if !(sum > 0x1p-900 && sum < 0x1p900) {
		return rescale(v[:]) && unit4(v)
	}
	n := math.Sqrt(sum)
	v[0], v[1], v[2], v[3] = v[0]/n, v[1]/n, v[2]/n, v[3]/n
	return true
}

// unit3 is unit4 for three components.
func unit3(v *[3]float64) bool {
	sum := float64(v[0]*v[0]) + float64(v[1]*v[1]) + float64(v[2]*v[2])
	if !(sum > 0x1p-900 && sum < 0x1p900) {
		return rescale(v[:]) && unit3(v)
	}
	n := math.Sqrt(sum)
	v[0], v[1], v[2] = v[0]/n, v[1]/n, v[2]/n
	return true
}

// rescale multiplies v by the power of two that brings its largest component
// into [1/2, 1), so that no square overflows or underflows. It returns false if
// that is impossible.
func rescale(v []float64) bool {
	var largest float64
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	if !(largest > 0) || math.IsInf(largest, 0) {
		return false
	}
	_, exponent := math.Frexp(largest)
	for i, x := range v {
		v[i] = math.Ldexp(x, -exponent)
	}
	return true
}

func widen4(v [4]float32) [4]float64 {
	return [4]float64{float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])}
}

func narrow4(v [4]float64) [4]float32 {
	return [4]float32{float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3])}
}
