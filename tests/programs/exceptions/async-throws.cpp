// expect: verified
#include <cassert>
#include <future>
#include <stdexcept>
int main()
{
	auto f = std::async(std::launch::async, []() -> int { throw std::runtime_error("a"); });
	try { f.get(); assert(0); } catch (std::runtime_error &) {}
}
