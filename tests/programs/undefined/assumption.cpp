// expect: verified
// broken: error kind=unreachable line=9
// The attribute of C++23 is an assumption as well.
#include <thread>

static int shared = 1;

static void check()
{
	[[assume(shared > 0)]];
	shared++;
}

int main()
{
#ifdef BROKEN
	shared = -1;
#endif
	std::thread t(check);
	t.join();
	return 0;
}
