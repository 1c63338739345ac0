// expect: error kind=data-race|assertion line=17|18|19
// The turn is given before the wish is made known.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn;
int inside;

static void work(int me)
{
	turn = 1 - me;
	wants[me] = true;
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
