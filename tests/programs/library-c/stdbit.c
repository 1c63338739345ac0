// expect: verified
// broken: error kind=assertion line=27
// flags: -std=c23
//
// Bits of C23, of each unsigned type.
#include <assert.h>
#include <stdbit.h>

int main(void)
{
	unsigned char byte = 0x18;
	assert(stdc_count_ones(byte) == 2 && stdc_count_zeros(byte) == 6);
	assert(stdc_leading_zeros(byte) == 3 && stdc_leading_zeros_uc(0) == 8);
	assert(stdc_leading_ones_uc(0xe0) == 3 && stdc_leading_ones_uc(0xff) == 8);
	assert(stdc_trailing_zeros(byte) == 3 && stdc_trailing_zeros_us(0) == 16);
	assert(stdc_trailing_ones_us(0x0f) == 4 && stdc_trailing_ones_ull(~0ull) == 64);
	assert(stdc_first_leading_one(byte) == 4 && stdc_first_leading_one_ui(0) == 0);
	assert(stdc_first_leading_zero_ui(0xc0000000) == 3);
	assert(stdc_first_leading_zero_ui(~0u) == 0);
	assert(stdc_first_trailing_one(byte) == 4 && stdc_first_trailing_zero_uc(7) == 4);
	assert(stdc_has_single_bit(64ul) && !stdc_has_single_bit(0u) && !stdc_has_single_bit(byte));
	assert(stdc_bit_width(byte) == 5 && stdc_bit_width(0u) == 0 && stdc_bit_width(1ull << 63) == 64);
	assert(stdc_bit_floor(byte) == 16 && stdc_bit_floor(0u) == 0);
	assert(stdc_bit_ceil(byte) == 32 && stdc_bit_ceil(0u) == 1 && stdc_bit_ceil(16u) == 16);
	assert(stdc_bit_ceil_uc(0x81) == 0 && stdc_bit_ceil(1ull << 63) == 1ull << 63);
#ifdef BROKEN
	assert(stdc_count_ones(~0u) == 33);
#endif
	assert(__STDC_ENDIAN_NATIVE__ == __STDC_ENDIAN_LITTLE__);
}
