// expect: error kind=uncaught-exception
#include <thread>
int main()
{
	std::thread t([] { throw 1; });
	try { t.join(); } catch (...) {}
}
