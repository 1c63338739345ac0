// expect: error kind=data-race|use-after-free|out-of-bounds
#include <thread>
#include <vector>

int main()
{
	std::vector<int> v;
	v.reserve(4);
	std::thread t([&] { v.push_back(1); });
	v.push_back(2);
	t.join();
	return 0;
}
