// expect: error kind=data-race line=8|9
// Captured by reference and used on both sides.
#include <thread>

int main()
{
	int n = 0;
	std::thread t([&n] { n = 1; });
	n = 2;
	t.join();
	return 0;
}
