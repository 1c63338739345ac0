// expect: verified
// broken: error kind=uncaught-exception
#include <cassert>
#include <cstdint>
#include <new>
static std::size_t huge = SIZE_MAX / 2;
int main()
{
	assert(!new (std::nothrow) char[huge]);
#ifndef BROKEN
	try
#endif
	{
		delete[] new char[huge];
		assert(false);
	}
#ifndef BROKEN
	catch (const std::bad_alloc &) {}
#endif
}
