// expect: verified
// clang: -std=c++20
// A plain variable, accessed atomically by those who share it.
#include <thread>

int main()
{
	int n = 0;
	auto work = [&n] { __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST); };
	std::thread t(work);
	work();
	t.join();
	return n != 2;
}
