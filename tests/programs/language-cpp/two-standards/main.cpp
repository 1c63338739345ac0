// expect: verified
// clang: -std=c++17 -std=c99
// Each standard is for the files of its own language.
#include <cassert>

extern "C" long standard();

int main()
{
	static_assert(__cplusplus == 201703L);
	assert(standard() == 199901L);
}
