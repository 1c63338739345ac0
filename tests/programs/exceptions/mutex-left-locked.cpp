// expect: error kind=hang
#include <mutex>
#include <thread>
static std::mutex m;
static void work() { m.lock(); throw 1; m.unlock(); }
int main()
{
	std::thread t([] { try { work(); } catch (int) {} });
	t.join();
	m.lock();
	m.unlock();
}
