// expect: error kind=memory-leak
// flags: --malloc-fail
#include <new>
int main()
{
	try {
		int *a = new int;
		int *b = new int;
		delete a;
		delete b;
	} catch (std::bad_alloc &) {
	}
}
