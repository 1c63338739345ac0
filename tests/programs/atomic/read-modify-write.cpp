// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
	std::atomic<int> a{0}, b{0xff}, c{0}, d{0}, e{10}, most{0};
	auto work = [&](int me) {
		a.fetch_add(me + 1);
		b.fetch_and(~(1 << me));
		c.fetch_or(1 << me);
		d.fetch_xor(3);
		e.fetch_sub(2);
		int seen = most.load();
		while (seen < me && !most.compare_exchange_weak(seen, me))
			;
	};
	std::thread t(work, 1);
	work(0);
	t.join();
	assert(a == 3 && b == 0xfc && c == 3 && d == 0 && e == 6 && most == 1);
	return 0;
}
