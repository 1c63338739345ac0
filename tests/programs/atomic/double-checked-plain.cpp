// expect: error kind=data-race line=11|14
#include <mutex>
#include <thread>

int *instance;
std::mutex m;
static int value;

static int *get()
{
	if (!instance) {
		std::lock_guard guard(m);
		if (!instance)
			instance = &value;
	}
	return instance;
}

int main()
{
	std::thread t([] { get(); });
	get();
	t.join();
	return 0;
}
