// expect: error kind=terminate line=8
// reduce-none: skip
#include <thread>

int main()
{
	std::thread t([] {});
	t = std::thread([] {});
	t.join();
	return 0;
}
