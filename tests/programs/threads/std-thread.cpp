// expect: verified
#include <cassert>
#include <string>
#include <thread>
#include <utility>

int main()
{
	int sum = 0;
	std::string s = "abc";
	std::thread t([&sum](const std::string &v, int n) { sum = static_cast<int>(v.size()) + n; }, s, 4);
	std::thread u = std::move(t);
	assert(!t.joinable() && u.joinable());
	u.join();
	assert(sum == 7);
	return 0;
}
