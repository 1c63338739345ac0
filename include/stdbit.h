/* <stdbit.h> of C23, which musl and clang lack. */
#ifndef IMPASSE_STDBIT_H
#define IMPASSE_STDBIT_H

#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ __ORDER_LITTLE_ENDIAN__
#define __STDC_ENDIAN_BIG__ __ORDER_BIG_ENDIAN__
#define __STDC_ENDIAN_NATIVE__ __BYTE_ORDER__

/* The functions for a type of the name `suffix`, which end in that. Zero has no first bit. */
#define __IMPASSE_STDBIT(type, suffix) \
	static inline unsigned stdc_count_ones##suffix(type x) { return __builtin_popcountll(x); } \
	static inline unsigned stdc_count_zeros##suffix(type x) { return __builtin_popcountll((type)~x); } \
	static inline unsigned stdc_bit_width##suffix(type x) { return x ? 64 - __builtin_clzll(x) : 0; } \
	static inline unsigned stdc_leading_zeros##suffix(type x) { return 8 * sizeof x - stdc_bit_width##suffix(x); } \
	static inline unsigned stdc_leading_ones##suffix(type x) { return stdc_leading_zeros##suffix(~x); } \
	static inline unsigned stdc_trailing_zeros##suffix(type x) { return x ? __builtin_ctzll(x) : 8 * sizeof x; } \
	static inline unsigned stdc_trailing_ones##suffix(type x) { return stdc_trailing_zeros##suffix(~x); } \
	static inline unsigned stdc_first_leading_one##suffix(type x) { return x ? stdc_leading_zeros##suffix(x) + 1 : 0; } \
	static inline unsigned stdc_first_leading_zero##suffix(type x) { return stdc_first_leading_one##suffix(~x); } \
	static inline unsigned stdc_first_trailing_one##suffix(type x) { return x ? __builtin_ctzll(x) + 1 : 0; } \
	static inline unsigned stdc_first_trailing_zero##suffix(type x) { return stdc_first_trailing_one##suffix(~x); } \
	static inline _Bool stdc_has_single_bit##suffix(type x) { return x && !(x & (x - 1)); } \
	static inline type stdc_bit_floor##suffix(type x) { return x ? (type)1 << (stdc_bit_width##suffix(x) - 1) : 0; } \
	static inline type stdc_bit_ceil##suffix(type x) \
	{ \
		unsigned width = x ? stdc_bit_width##suffix(x - 1) : 0; \
		return width < 8 * sizeof x ? (type)1 << width : 0; \
	}

__IMPASSE_STDBIT(unsigned char, _uc)
__IMPASSE_STDBIT(unsigned short, _us)
__IMPASSE_STDBIT(unsigned int, _ui)
__IMPASSE_STDBIT(unsigned long, _ul)
__IMPASSE_STDBIT(unsigned long long, _ull)
#undef __IMPASSE_STDBIT

/* The type-generic function of a name. */
#define __IMPASSE_STDBIT(name, x) \
	_Generic((x), unsigned char: name##_uc, unsigned short: name##_us, unsigned int: name##_ui, \
		unsigned long: name##_ul, unsigned long long: name##_ull)(x)

#define stdc_count_ones(x) __IMPASSE_STDBIT(stdc_count_ones, x)
#define stdc_count_zeros(x) __IMPASSE_STDBIT(stdc_count_zeros, x)
#define stdc_bit_width(x) __IMPASSE_STDBIT(stdc_bit_width, x)
#define stdc_leading_zeros(x) __IMPASSE_STDBIT(stdc_leading_zeros, x)
#define stdc_leading_ones(x) __IMPASSE_STDBIT(stdc_leading_ones, x)
#define stdc_trailing_zeros(x) __IMPASSE_STDBIT(stdc_trailing_zeros, x)
#define stdc_trailing_ones(x) __IMPASSE_STDBIT(stdc_trailing_ones, x)
#define stdc_first_leading_one(x) __IMPASSE_STDBIT(stdc_first_leading_one, x)
#define stdc_first_leading_zero(x) __IMPASSE_STDBIT(stdc_first_leading_zero, x)
#define stdc_first_trailing_one(x) __IMPASSE_STDBIT(stdc_first_trailing_one, x)
#define stdc_first_trailing_zero(x) __IMPASSE_STDBIT(stdc_first_trailing_zero, x)
#define stdc_has_single_bit(x) __IMPASSE_STDBIT(stdc_has_single_bit, x)
#define stdc_bit_floor(x) __IMPASSE_STDBIT(stdc_bit_floor, x)
#define stdc_bit_ceil(x) __IMPASSE_STDBIT(stdc_bit_ceil, x)

#endif
