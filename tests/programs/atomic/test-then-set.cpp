// expect: error kind=data-race line=14
// Testing and setting are two steps.
#include <atomic>
#include <thread>

std::atomic<bool> locked;
int n;

static void work()
{
	while (locked.load())
		;
	locked.store(true);
	n++;
	locked.store(false);
}

int main()
{
	std::thread t(work);
	work();
	t.join();
	return n != 2;
}
