// expect: error kind=uncaught-exception
#include <thread>
#include <atomic>
static std::atomic<int> turn;
int main()
{
	std::thread t([] { turn = 1; });
	try { if (turn == 1) throw 'x'; } catch (int) {}
	t.join();
}
