// expect: error kind=uncaught-exception|terminate line=6
#include <thread>

int main()
{
	std::thread t([] { throw 3; });
	t.join();
	return 0;
}
