// expect: verified
#include <mutex>
#include <thread>

std::recursive_mutex m;
int n;

static void down(int depth)
{
	std::lock_guard guard(m);
	n++;
	if (depth)
		down(depth - 1);
}

int main()
{
	std::thread t(down, 2);
	down(1);
	t.join();
	return n != 5;
}
