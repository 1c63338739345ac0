// expect: verified
// broken: error kind=invalid-call line=25
// The handler ends the section that main is in. With -DBROKEN: An exception goes past the end of
// the section that main is in.
#include <impasse.h>
#include <thread>

static int n;

int main()
{
	std::thread thread([] {});
	try {
		impasse_atomic_begin();
		if (++n == 1)
			throw 1;
		impasse_atomic_end();
	} catch (int) {
#ifdef BROKEN
		n = 2;
#else
		impasse_atomic_end();
#endif
	}
	thread.join();
}
