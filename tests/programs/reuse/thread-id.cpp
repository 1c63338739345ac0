// expect: error kind=assertion line=11
// The same of std::thread::id.
#include <cassert>
#include <thread>

int main()
{
	std::thread::id first;
	std::thread([&] { first = std::this_thread::get_id(); }).join();
	std::thread([&] {
		assert(first != std::this_thread::get_id());
	}).join();
}
