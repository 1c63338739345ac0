// expect: verified
// broken: error kind=data-race
// An element may be read while another one is written, but not while one is appended, even if there is room.
#include <thread>
#include <vector>

int main()
{
	std::vector<int> v{1, 2};
	v.reserve(4);
	std::thread t([&] {
#ifdef BROKEN
		v.push_back(3);
#else
		v[1] = 3;
#endif
	});
	int first = v[0];
	t.join();
	return first - 1;
}
