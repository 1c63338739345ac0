// expect: error kind=terminate line=8
// por-off: skip
#include <thread>

int main()
{
	std::thread t([] {});
	t = std::thread([] {});
	t.join();
	return 0;
}
