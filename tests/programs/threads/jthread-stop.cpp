// expect: verified
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main()
{
	std::atomic<int> turns{0};
	{
		std::jthread t([&](std::stop_token stop) {
			while (!stop.stop_requested())
				turns = 1;
		});
	}
	assert(turns <= 1);
	return 0;
}
