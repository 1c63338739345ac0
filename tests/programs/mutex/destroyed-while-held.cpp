// expect: error kind=mutex-misuse|use-after-free|use-after-return
// clang: -w
// The mutex is destroyed while the thread still holds it.
#include <memory>
#include <mutex>
#include <thread>

int main()
{
	auto m = std::make_unique<std::mutex>();
	std::thread t([p = m.get()] {
		p->lock();
		p->unlock();
	});
	m.reset();
	t.join();
	return 0;
}
