// expect: error kind=stack-overflow line=6
#include <thread>

static long sum(long n)
{
	long rest = n < 0 ? 0 : sum(n + 1);
	return n + rest;
}

int main()
{
	std::thread t([] { sum(1); });
	t.join();
	return 0;
}
