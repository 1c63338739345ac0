// expect: error kind=data-race line=16|24
// The tail moves on before the item is there.
#include <atomic>
#include <thread>

constexpr unsigned N = 2;
int items[N];
std::atomic<unsigned> head, tail;

static void put(int x)
{
	unsigned t = tail;
	while (t - head == N)
		;
	tail = t + 1;
	items[t % N] = x;
}

static int get()
{
	unsigned h = head;
	while (tail == h)
		;
	int x = items[h % N];
	head = h + 1;
	return x;
}

int main()
{
	std::thread t([] { put(1); });
	int x = get();
	t.join();
	return x > 1;
}
