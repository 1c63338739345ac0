// expect: verified
#include <cassert>
#include <future>
#include <thread>
int main()
{
	std::promise<int> p;
	auto f = p.get_future();
	std::thread t([&] { try { throw 8; } catch (...) { p.set_exception(std::current_exception()); } });
	try { f.get(); assert(0); } catch (int i) { assert(i == 8); }
	t.join();
}
