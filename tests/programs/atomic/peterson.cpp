// expect: verified
// broken: error kind=data-race|assertion line=23|24|25
// With -DBROKEN: The turn is given before the wish is made known.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn;
int inside;

static void work(int me)
{
#ifdef BROKEN
	turn = 1 - me;
#endif
	wants[me] = true;
#ifndef BROKEN
	turn = 1 - me;
#endif
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
