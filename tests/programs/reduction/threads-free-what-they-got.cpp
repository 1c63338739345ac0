// expect: verified
// most-states: 25
// A thread frees what it got when it was started, as each std::thread does. That does not concern others, as no addresses are
// compared.
#include <thread>
#include <vector>

int main()
{
	std::vector<std::thread> threads;
	for (int n = 0; n < 6; n++)
		threads.emplace_back([n] { (void)n; });
	for (auto &thread : threads)
		thread.join();
}
