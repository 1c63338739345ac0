// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn;
int inside;

static void work(int me)
{
	wants[me] = true;
	turn = 1 - me;
	while (wants[1 - me] && turn == 1 - me)
		;
	inside++;
	assert(inside == 1);
	inside--;
	wants[me] = false;
}

int main()
{
	std::thread t(work, 1);
	work(0);
	t.join();
	return 0;
}
