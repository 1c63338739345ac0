// expect: error kind=terminate line=7
#include <thread>

int main()
{
	std::thread t([] {});
	t = std::thread([] {});
	t.join();
	return 0;
}
