// expect: error kind=data-race|use-after-free
// The pointer itself is a plain variable.
#include <memory>
#include <thread>

int main()
{
	auto p = std::make_shared<int>(1);
	std::thread t([&p] { p.reset(); });
	auto q = p;
	t.join();
	return 0;
}
