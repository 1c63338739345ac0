// expect: verified
// broken: error kind=hang
// most-states: 200
//
// Each thread keeps a promise of its own. They are in one vector, which all threads refer to; in
// the broken version, one thread keeps none.
#include <future>
#include <thread>
#include <vector>

int main()
{
	std::vector<std::promise<int>> promises(3);
	std::vector<std::thread> threads;
	for (int i = 0; i < 3; i++)
		threads.emplace_back([&promises, i] {
#ifdef BROKEN
			if (i == 2)
				return;
#endif
			promises[i].set_value(i);
		});
	int sum = 0;
	for (auto &promise : promises)
		sum += promise.get_future().get();
	for (auto &thread : threads)
		thread.join();
	return sum == 3 ? 0 : 1;
}
