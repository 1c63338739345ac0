// expect: verified
// broken: error kind=invalid-free message="as 8 bytes, but it was allocated with 16"
// An allocator gets back as many objects as it gave.
#include <memory>

int main()
{
	std::allocator<int> ints;
	int *p = ints.allocate(4);
	int *none = ints.allocate(0);
#ifdef BROKEN
	ints.deallocate(p, 2);
#else
	ints.deallocate(p, 4);
#endif
	ints.deallocate(none, 0);
	return 0;
}
