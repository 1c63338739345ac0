// expect: error kind=data-race
#include <exception>
#include <thread>
int main()
{
	auto p = std::make_exception_ptr(3);
	auto use = [p] { try { std::rethrow_exception(p); } catch (int &i) { i++; } };
	std::thread t(use);
	use();
	t.join();
}
