// expect: verified
// Message passing through a plain variable that both threads access by std::atomic_ref.
#include <atomic>
#include <cassert>
#include <thread>

static int ready, data;

int main()
{
	std::thread writer([] {
		data = 42;
		std::atomic_ref(ready).store(1); // enough: release
	});
	while (!std::atomic_ref(ready).load()) // enough: acquire
		;
	assert(data == 42);
	writer.join();
}
