// expect: verified
// broken: error kind=data-race line=16
// Several threads may use a standard stream at the same time, other than a stream of their own making.
#include <iostream>
#include <sstream>
#include <thread>

#ifdef BROKEN
static std::ostringstream out;
#else
static std::ostream &out = std::cout;
#endif

static void print(const char *what)
{
	out << what;
}

int main()
{
	std::thread thread(print, "1");
	print("2");
	thread.join();
}
