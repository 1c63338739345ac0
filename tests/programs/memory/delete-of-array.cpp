// expect: verified
// broken: error kind=invalid-free line=10 message="with delete, but new[] allocated it"
// delete takes one object, and not an array.
#include <new>

int main()
{
	int *p = new (std::nothrow) int[3];
#ifdef BROKEN
	delete p;
#else
	delete[] p;
#endif
	return 0;
}
