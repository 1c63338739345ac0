// expect: verified
// A function's static variable is initialised once, and safely.
#include <cassert>
#include <thread>

static int made;

struct Single {
	int n;
	Single() : n(++made) {}
};

static Single &get()
{
	static Single s;
	return s;
}

int main()
{
	std::thread t([] { assert(get().n == 1); });
	assert(get().n == 1);
	t.join();
	assert(made == 1);
	return 0;
}
