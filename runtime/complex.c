/* Multiplication and division of complex numbers, which clang calls by these names. */
#include <complex.h>
#include <math.h>

#define ARITHMETIC(type, letter, suffix)                                                        \
	static type box_##letter(type x)                                                        \
	{                                                                                       \
		return copysign##suffix(isinf(x) ? 1 : 0, x);                                   \
	}                                                                                       \
	static type zero_##letter(type x)                                                       \
	{                                                                                       \
		return isnan(x) ? copysign##suffix(0, x) : x;                                   \
	}                                                                                       \
	type _Complex __mul##letter##c3(type a, type b, type c, type d)                         \
	{                                                                                       \
		type re = a * c - b * d, im = a * d + b * c;                                    \
		if (!isnan(re) || !isnan(im))                                                   \
			return CMPLX##letter(re, im);                                           \
		int again = 0;                                                                  \
		if (isinf(a) || isinf(b)) {                                                     \
			a = box_##letter(a), b = box_##letter(b);                               \
			c = zero_##letter(c), d = zero_##letter(d);                             \
			again = 1;                                                              \
		}                                                                               \
		if (isinf(c) || isinf(d)) {                                                     \
			c = box_##letter(c), d = box_##letter(d);                               \
			a = zero_##letter(a), b = zero_##letter(b);                             \
			again = 1;                                                              \
		}                                                                               \
		return again ? CMPLX##letter(INFINITY * (a * c - b * d), INFINITY * (a * d + b * c)) \
		             : CMPLX##letter(re, im);                                           \
	}                                                                                       \
	type _Complex __div##letter##c3(type a, type b, type c, type d)                         \
	{                                                                                       \
		int scale = 0;                                                                  \
		type exponent = logb##suffix(fmax##suffix(fabs##suffix(c), fabs##suffix(d)));  \
		if (isfinite(exponent)) {                                                       \
			scale = (int)exponent;                                                  \
			c = scalbn##suffix(c, -scale), d = scalbn##suffix(d, -scale);           \
		}                                                                               \
		type norm = c * c + d * d;                                                      \
		type re = scalbn##suffix((a * c + b * d) / norm, -scale);                       \
		type im = scalbn##suffix((b * c - a * d) / norm, -scale);                       \
		if (!isnan(re) || !isnan(im))                                                   \
			return CMPLX##letter(re, im);                                           \
		if (norm == 0 && (!isnan(a) || !isnan(b)))                                      \
			return CMPLX##letter(copysign##suffix(INFINITY, c) * a,                 \
			                     copysign##suffix(INFINITY, c) * b);                \
		if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                     \
			a = box_##letter(a), b = box_##letter(b);                               \
			return CMPLX##letter(INFINITY * (a * c + b * d), INFINITY * (b * c - a * d)); \
		}                                                                               \
		if (isinf(exponent) && exponent > 0 && isfinite(a) && isfinite(b)) {            \
			c = box_##letter(c), d = box_##letter(d);                               \
			return CMPLX##letter(0 * (a * c + b * d), 0 * (b * c - a * d));         \
		}                                                                               \
		return CMPLX##letter(re, im);                                                   \
	}

#define CMPLXs(re, im) __builtin_complex((float)(re), (float)(im))
#define CMPLXd(re, im) __builtin_complex((double)(re), (double)(im))
#define CMPLXx(re, im) __builtin_complex((long double)(re), (long double)(im))

ARITHMETIC(float, s, f)
ARITHMETIC(double, d, )
ARITHMETIC(long double, x, l)
