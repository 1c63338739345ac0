// expect: verified
// flags: --malloc-fail
// libc++'s nothrow new catches what the throwing one throws.
#include <new>

int main()
{
	int *p = new (std::nothrow) int(3);
	int x = p ? *p : 3;
	delete p;
	return x - 3;
}
