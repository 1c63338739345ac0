// expect: verified
// broken: error kind=hang
// With -DBROKEN: Transfers in both directions lock in different orders.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
	std::mutex m;
	int balance = 10;
};

static void transfer(Account &from, Account &to, int n)
{
#ifdef BROKEN
	std::lock_guard one(from.m);
	std::lock_guard two(to.m);
#else
	std::scoped_lock both(from.m, to.m);
#endif
	from.balance -= n;
	to.balance += n;
}

int main()
{
	Account a, b;
	std::thread t([&] { transfer(a, b, 1); });
	transfer(b, a, 2);
	t.join();
#ifndef BROKEN
	assert(a.balance + b.balance == 20);
#endif
	return 0;
}
