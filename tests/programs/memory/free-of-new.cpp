// expect: verified
// broken: error kind=invalid-free line=12 message="with free, but new allocated it"
// What new allocates is deleted, and not freed.
#include <cstdlib>

int main()
{
	int *p = new int(3);
	int value = *p;
#ifdef BROKEN
	if (value == 3)
		std::free(p);
#else
	delete p;
#endif
	return value - 3;
}
