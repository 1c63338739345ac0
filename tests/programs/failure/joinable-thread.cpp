// expect: error kind=terminate line=9
// The destructor of a thread that was not joined terminates.
#include <thread>

int main()
{
	std::thread t([] {});
	return 0;
}
