// expect: verified
// broken: error kind=data-race
// A function of such a name is one step in C++ as well. With -DBROKEN: A member of a namespace is
// none.
#include <cassert>
#include <thread>

static int n, members;

void __VERIFIER_atomic_add(int more)
{
	n += more;
}

static void __VERIFIER_atomic_double()
{
	n *= 2;
}

namespace other {
void __VERIFIER_atomic_add(int more)
{
	members += more;
}
}

int main()
{
	std::thread thread([] {
		__VERIFIER_atomic_add(1);
#ifdef BROKEN
		other::__VERIFIER_atomic_add(1);
#endif
	});
	__VERIFIER_atomic_double();
	other::__VERIFIER_atomic_add(1);
	thread.join();
	assert(n == 1 || n == 2);
}
