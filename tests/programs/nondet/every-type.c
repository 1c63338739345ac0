// expect: verified
// flags: --nondet 3..3
// An input of each type that programs ask for, by each of its names.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define IS_THREE(type, name)                        \
	do {                                        \
		type __VERIFIER_nondet_##name(void); \
		assert(__VERIFIER_nondet_##name() == 3); \
	} while (0)

int main(void)
{
	IS_THREE(char, char);
	IS_THREE(signed char, schar);
	IS_THREE(signed char, signed_char);
	IS_THREE(unsigned char, uchar);
	IS_THREE(unsigned char, unsigned_char);
	IS_THREE(short, short);
	IS_THREE(unsigned short, ushort);
	IS_THREE(unsigned short, unsigned_short);
	IS_THREE(int, int);
	IS_THREE(unsigned, uint);
	IS_THREE(unsigned, unsigned);
	IS_THREE(unsigned, unsigned_int);
	IS_THREE(long, long);
	IS_THREE(unsigned long, ulong);
	IS_THREE(unsigned long, unsigned_long);
	IS_THREE(long long, longlong);
	IS_THREE(long long, long_long);
	IS_THREE(unsigned long long, ulonglong);
	IS_THREE(unsigned long long, unsigned_long_long);
	IS_THREE(int8_t, s8);
	IS_THREE(int8_t, S8);
	IS_THREE(int8_t, i8);
	IS_THREE(int8_t, int8);
	IS_THREE(int8_t, int8_t);
	IS_THREE(uint8_t, u8);
	IS_THREE(uint8_t, U8);
	IS_THREE(uint8_t, uint8);
	IS_THREE(uint8_t, uint8_t);
	IS_THREE(int16_t, s16);
	IS_THREE(int16_t, S16);
	IS_THREE(int16_t, i16);
	IS_THREE(int16_t, int16);
	IS_THREE(int16_t, int16_t);
	IS_THREE(uint16_t, u16);
	IS_THREE(uint16_t, U16);
	IS_THREE(uint16_t, uint16);
	IS_THREE(uint16_t, uint16_t);
	IS_THREE(int32_t, s32);
	IS_THREE(int32_t, S32);
	IS_THREE(int32_t, i32);
	IS_THREE(int32_t, int32);
	IS_THREE(int32_t, int32_t);
	IS_THREE(uint32_t, u32);
	IS_THREE(uint32_t, U32);
	IS_THREE(uint32_t, uint32);
	IS_THREE(uint32_t, uint32_t);
	IS_THREE(int64_t, s64);
	IS_THREE(int64_t, S64);
	IS_THREE(int64_t, i64);
	IS_THREE(int64_t, int64);
	IS_THREE(int64_t, int64_t);
	IS_THREE(uint64_t, u64);
	IS_THREE(uint64_t, U64);
	IS_THREE(uint64_t, uint64);
	IS_THREE(uint64_t, uint64_t);
	IS_THREE(size_t, size_t);
	IS_THREE(ssize_t, ssize_t);
	IS_THREE(ptrdiff_t, ptrdiff_t);
	IS_THREE(intptr_t, intptr_t);
	IS_THREE(uintptr_t, uintptr_t);
	IS_THREE(intmax_t, intmax_t);
	IS_THREE(uintmax_t, uintmax_t);
	IS_THREE(wchar_t, wchar_t);
	IS_THREE(long long, loff_t);
	IS_THREE(unsigned long, sector_t);
	IS_THREE(__int128, int128);
	IS_THREE(__int128, int128_t);
	IS_THREE(__int128, s128);
	IS_THREE(__int128, i128);
	IS_THREE(unsigned __int128, uint128);
	IS_THREE(unsigned __int128, uint128_t);
	IS_THREE(unsigned __int128, u128);
	IS_THREE(float, float);
	IS_THREE(double, double);
	IS_THREE(long double, longdouble);
	IS_THREE(long double, long_double);
	IS_THREE(long double, ldouble);
	return 0;
}
