// expect: verified
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

int main()
{
	std::binary_semaphore s(0);
	int value = 0;
	std::thread t([&] { value = 3; s.release(); });
	s.acquire();
	assert(value == 3);
	assert(!s.try_acquire());
	t.join();
	return 0;
}
