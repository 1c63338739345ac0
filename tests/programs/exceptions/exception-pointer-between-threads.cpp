// expect: verified
#include <cassert>
#include <exception>
#include <thread>
int main()
{
	std::exception_ptr p;
	std::thread t([&] { try { throw 3; } catch (...) { p = std::current_exception(); } });
	t.join();
	try { std::rethrow_exception(p); assert(0); } catch (int i) { assert(i == 3); }
}
