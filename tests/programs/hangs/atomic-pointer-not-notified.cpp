// expect: verified
// broken: error kind=hang line=20
// flags: -std=c++20
//
// A thread waits until an atomic smart pointer is not null any more.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

int main()
{
	std::atomic<std::shared_ptr<int>> result;
	std::thread worker([&] {
		result = std::make_shared<int>(3);
#ifndef BROKEN
		result.notify_one();
#endif
	});
	result.wait(nullptr);
	assert(*result.load() == 3);
	worker.join();
	return 0;
}
