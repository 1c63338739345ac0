// expect: verified
// broken: error kind=use-after-free line=29
// A program replaces operators of new and delete; those of arrays, and those with a size, use them.
#include <cstdlib>
#include <memory>
#include <new>

void *operator new(std::size_t n)
{
	if (void *p = std::malloc(n))
		return p;
	throw std::bad_alloc();
}

void operator delete(void *p) noexcept
{
	std::free(p);
}

int main()
{
	auto shared = std::make_shared<int>(1);
	auto array = std::make_unique<int[]>(3);
	int *one = new int(1);
	delete one;
	int *two = new (std::nothrow) int[2];
	delete[] two;
#ifdef BROKEN
	return *one;
#endif
	return *shared + array[0] - 1;
}
