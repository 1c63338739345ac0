// expect: verified
#include <cassert>
#include <future>
int main()
{
	std::future<int> f;
	{ std::promise<int> p; f = p.get_future(); }
	try { f.get(); assert(0); } catch (std::future_error &e) { assert(e.code() == std::future_errc::broken_promise); }
}
