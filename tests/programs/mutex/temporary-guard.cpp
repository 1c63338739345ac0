// expect: error kind=data-race line=13
// clang: -Wno-unused-value
// A guard without a name is destroyed at once.
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	int n = 0;
	auto work = [&] {
		std::unique_lock<std::mutex>{m};
		n++;
	};
	std::thread a(work), b(work);
	a.join();
	b.join();
	return n > 2;
}
