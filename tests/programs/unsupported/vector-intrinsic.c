// expect: inconclusive reason="" line=8
// clang: -msse2
#include <emmintrin.h>

int main(void)
{
	__m128i a = _mm_set1_epi16(300);
	__m128i b = _mm_packus_epi16(a, a);
	return _mm_cvtsi128_si32(b) != -1;
}
