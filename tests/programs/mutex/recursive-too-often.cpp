// expect: verified
// broken: error kind=mutex-misuse line=14
#include <mutex>
static std::recursive_mutex m;
static void twice(int depth)
{
	std::lock_guard guard(m);
	if (depth)
		twice(depth - 1);
#ifdef BROKEN
	else {
		m.unlock();
		m.unlock();
		m.unlock();
	}
#endif
}
int main()
{
	twice(1);
}
