// expect: verified
// most-states: 130
// broken: error kind=assertion

/* Each thread of std::async is detached, and shares memory with main alone. */

#include <cassert>
#include <future>
#include <vector>

static int square(int i)
{
	return i * i;
}

int main()
{
	std::vector<std::future<int>> results;
	for (int i = 0; i < 2; i++)
		results.push_back(std::async(std::launch::async, square, i));
	int sum = 0;
	for (auto &result : results)
		sum += result.get();
#ifdef BROKEN
	assert(sum != 1);
#endif
}
